import { BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
import { Hono } from "hono";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { ProgressReports } from "../../src/adapters/files/catalog/progress-reports.js";
import { FrameworkAdapter } from "../../src/adapters/frameworks/framework-adapter.js";
import {
  createFilesystemInspectorDataSource,
  createInMemoryInspectorDataSource,
  createInspectorRoute,
  SearchRecords,
  scopeToTenants,
} from "../../src/advanced.js";
import { SessionRecorder } from "../../src/application/recording/session-recorder.js";
import {
  combineDataSources,
  createAgentApp,
  type InspectorDataSource,
  type SessionStore,
} from "../../src/index.js";
import { InspectorSpanProcessor } from "../../src/otel.js";
import { createOtlpReceiver, type OtlpReceiverOptions, type SpanStore } from "../../src/otlp-receiver.js";
import { RunRecorder } from "../../src/recording.js";
import { requestOf, spanOf } from "../otlp-receiver/support/requests.js";
import { temporaryFolder, writeSessions } from "../support/data-directory.js";
import { handMadeSource } from "../support/hand-made-source.js";

type Rejecting = () => never;

const broken = () => Promise.reject(new Error("The store is gone."));
const BROKEN = handMadeSource({ listSessions: broken });
const BROKEN_STORE = { openSession: broken, appendEnvelopes: broken } as unknown as SessionStore;

const store = () => createInMemoryInspectorDataSource().sessionStore;

const ask = async (source: InspectorDataSource, options: object, path = "/sessions") => {
  const app = new Hono().route("/", createInspectorRoute(source, { onError: () => undefined, ...options }));
  expect((await app.request(path)).status).toBe(500);
};

async function send(
  options: OtlpReceiverOptions,
  status: number,
  append: SpanStore["append"] = async () => {},
) {
  const receiver = createOtlpReceiver({
    store: { append, close: async () => {} },
    threads: false,
    access: () => ({ tenants: "all" }),
    onError: () => undefined,
    ...options,
  });
  onTestFinished(() => receiver.close());
  const body = JSON.stringify(requestOf([spanOf(1)]));
  const headers = { "Content-Type": "application/json" };
  const answer = await receiver.app.request("/v1/traces", { method: "POST", body, headers });
  expect(answer.status).toBe(status);
}

const record = async (recorder: SessionRecorder) => {
  const session = await recorder.open({ sessionId: "s1" });
  await session.startTrace().record({ type: "turn.start", turnIndex: 0 });
};

const run = async (recorder: RunRecorder) => {
  recorder.start({ id: "1", kind: "agent", name: "helper", sessionId: "s1", input: "Hello" });
  recorder.end("1");
  await recorder.close();
};

/** Functions of a host, each with an action that calls it. */
const FUNCTIONS: { readonly [name: string]: (fail: Rejecting) => unknown } = {
  "onError of the inspector's route": (onError) => ask(BROKEN, { onError }),
  "access of the inspector's route": (access) => ask(handMadeSource({}), { access }),
  "onError of an agent application": (onError) => {
    const app = createAgentApp({ inspector: BROKEN, inspectorOptions: { onError } });
    return app.request("/__inspector/sessions");
  },
  "onError of a recorder": (onError) => record(new SessionRecorder(BROKEN_STORE, { onError })),

  "onError of a run recorder": (onError) => run(new RunRecorder(BROKEN_STORE, { onError })),

  "identify of a framework's adapter": (identify) => {
    const recorder = new RunRecorder(store(), { onError: () => undefined });
    new FrameworkAdapter("a framework", recorder, { identify }).identityOf({});
  },
  "identify of the span processor": async (identify) => {
    const recorder = new RunRecorder(store(), { onError: () => undefined });
    const spanProcessors = [new InspectorSpanProcessor(recorder, { identify })];
    const provider = new BasicTracerProvider({ spanProcessors });
    provider.getTracer("t").startSpan("chat").end();
    await provider.shutdown();
  },
  "sourceNamed of a data source": (sourceNamed) =>
    ask(handMadeSource({ sourceNamed }), {}, "/sessions?source=a"),
  "sourceNamed of a data source in a scope": (sourceNamed) =>
    ask(scopeToTenants(handMadeSource({ sourceNamed }), ["acme"]), {}, "/sessions?source=a"),
  "onError of a combination": async (onError) => {
    const one = handMadeSource({ listSessions: async () => [] });
    const parts = [BROKEN, one].map((source, i) => ({ key: `k${i}`, source }));
    expect(await combineDataSources(parts, { onError }).listSessions()).toEqual([]);
  },
  "access of the receiver": (access) => send({ access }, 503),
  "onError of the receiver": (onError) => send({ onError }, 503, broken),
  "onReceived of the receiver": (onReceived) => send({ onReceived }, 200),
  "onProgress of a source of files": (onProgress) => {
    const reports = new ProgressReports(onProgress);
    reports.begin();
    vi.advanceTimersByTime(2_000);
    reports.report(() => 1, 2);
  },
  "now of a source of files": async (now) => {
    const folder = await temporaryFolder();
    await writeSessions(folder, [{ tenantId: "acme", sessionId: "s1", userId: "ada", createdAt: 1 }]);
    const source = createFilesystemInspectorDataSource(folder, { now, threads: false });
    await expect(source.listSessions()).rejects.toThrow("`now` has to answer at once");
  },
  "now of a search": async (now) => {
    const search = new SearchRecords(handMadeSource({}), undefined as never, { now });
    const query = { terms: [], isCaseSensitive: false } as never;
    await expect(search.execute({ query, kinds: [] } as never)).rejects.toThrow(
      "`now` has to answer at once",
    );
  },
};

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

it.each(Object.keys(FUNCTIONS))("%s ends no process where it rejects", async (name) => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", note);
  onTestFinished(() => void process.off("unhandledRejection", note));
  const fail = vi.fn(async (): Promise<never> => {
    throw new Error("The host's function failed.");
  });
  await FUNCTIONS[name]!(fail as unknown as Rejecting);
  await vi.waitFor(() => expect(fail).toHaveBeenCalled());
  // Node.js reports unhandled rejections after the microtasks of a turn.
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
  expect(unhandled).toEqual([]);
});
