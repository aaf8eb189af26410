import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import { createAgentApp } from "../../src/index.js";
import { RunRecorder, SessionRecorder } from "../../src/recording.js";
import { PROJECT_ROOT } from "../support/build.js";
import { handMadeSource } from "../support/hand-made-source.js";

type Exported = (...parameters: readonly unknown[]) => unknown;
type Use = (exported: Exported, options: object) => unknown;

const behind =
  (...parameters: readonly unknown[]): Use =>
  (exported, options) =>
    exported(...parameters, options);
const made =
  (...parameters: readonly unknown[]): Use =>
  (exported, options) =>
    Reflect.construct(exported, [...parameters, options]);

const source = handMadeSource({});

const FORMAT_OF_NOTES = {
  id: "notes",
  label: "Notes",
  files: { ending: ".notes.jsonl", session: () => ({ id: "s1" }) },
  instantMember: "at",
  record: () => ({ parts: [] }),
  message: () => ({}),
};

/** Calls each export with options, and with its required ones at least. */
const WITH_OPTIONS: Readonly<Record<string, Use>> = {
  createAgentApp: behind(),
  createInspectorRoute: behind(source),
  createInspectorContainer: behind(source),
  "createInspectorRoute of ./edge": behind(source),
  "createInspectorContainer of ./edge": behind(source),
  mountInspector: (mount, options) => mount({ source, ...options }),
  createFilesystemInspectorDataSource: behind("data"),
  createInMemoryInspectorDataSource: (create, session) => create([{ sessionId: "s1", ...session }]),
  createClaudeCodeDataSource: behind("projects"),
  createCodexDataSource: behind(".codex"),
  createGeminiCliDataSource: behind(".gemini"),
  openHistories: behind("codex", ".codex"),
  createHistoriesDataSource: (create, options) => create({ folder: "histories", ...options }),
  defineFormat: (define, options) => define({ ...FORMAT_OF_NOTES, ...options }),
  describeHistoryFormat: behind(FORMAT_OF_NOTES, []),
  createOtlpDataSource: (create, options) => create({ directory: "traces", ...options }),
  createOtlpReceiver: (create, options) => create({ directory: "traces", ...options }),
  createPostgresDataSource: withDatabase,
  createPostgresSessionStore: withDatabase,
  migratePostgres: withDatabase,
  importIntoPostgres: (load, options) => withDatabase((all) => load(source, all), options),
  combineDataSources: behind([{ key: "a", source }]),
  createInspectorUi: behind(),
  createRemoteInspectorUi: behind("http://127.0.0.1:3000"),
  inspectorTelemetry: behind({}),
  recordAnthropic: behind({ messages: {} }, { beforeTurn: () => undefined }),
  recordOpenAI: behind({ chat: { completions: {} } }, { beforeTurn: () => undefined }),
  InspectorCallbackHandler: made({}),
  InspectorExporter: made({}),
  InspectorTraceProcessor: made({}),
  InspectorSpanProcessor: made({}),
  InspectorClient: (Client, options) => Reflect.construct(Client, [{ baseUrl: "/__inspector", ...options }]),
  RunRecorder: made({}),
  SessionRecorder: made({}),
  SearchRecords: made(source, undefined),
  SearchSessions: made(source, undefined),
  GetOverview: made(source),
  describeInspectorDataSource: behind("a source", () => source),
};

function withDatabase(use: Exported, options: object): unknown {
  return use({ connectionString: "postgres://127.0.0.1:1/none", ...options });
}

const { sessionStore } = createInMemoryInspectorDataSource();
const recorder = new SessionRecorder(sessionStore);
const runRecorder = new RunRecorder(sessionStore);
const session = await recorder.open();
const trace = session.startTrace();

const METHODS: Readonly<Record<string, (options: object) => unknown>> = {
  "SessionRecorder.open": (options) => recorder.open(options),
  "SessionRecorder.flush": (options) => recorder.flush(options),
  "RecordedSession.recordTurn": (options) => session.recordTurn({}, options),
  "RecordedSession.recordOrchestration": (options) => session.recordOrchestration({ type: "x" }, options),
  "RecordedSession.setTitle": (options) => session.setTitle("A title", options),
  "RecordedSession.setFirstTitle": (options) => session.setFirstTitle("A title", options),
  "RecordedTrace.record": (options) => trace.record({ type: "x" }, options),
  "RunRecorder.flush": (options) => runRecorder.flush(options),
  "RunRecorder.close": (options) => runRecorder.close(options),
  "AgentApp.close": (options) => createAgentApp().close(options),
};

const METHODS_WITHOUT_OPTIONS = [
  "RecordedSession.appendMessages",
  "RecordedSession.beforeTurn",
  "RecordedSession.compactMessages",
  "RecordedSession.startTrace",
  "RunRecorder.end",
  "RunRecorder.leave",
  "RunRecorder.note",
  "RunRecorder.report",
  "RunRecorder.start",
];

const WITHOUT_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  "a folder": ["createFilesystemSessionStore"],
  "a source and tenants": ["scopeToTenants"],
  "a function that makes a store": ["describeSessionStore"],
  "other parts": [
    "AnalysisReader",
    "CallPricing",
    "CompareSessions",
    "DescribeModel",
    "ExportSession",
    "ExplainLines",
    "FilteredSessions",
    "GetCallContext",
    "GetMessageProvenance",
    "GetSessionMessages",
    "GetSessionOrchestration",
    "GetSessionTrace",
    "ListSessions",
    "ListSources",
    "ReviewExport",
    "SummarizeSession",
    "TraceOrders",
  ],
  "a number of threads": ["ThreadPool"],
  nothing: ["CheckHealth", "InProcessPool"],
  "what went wrong": [
    "AgentAppConfigurationError",
    "InspectorClientError",
    "InvalidRequestError",
    "RecordingError",
    "SessionNotFoundError",
    "SourceChangedError",
    "SourceContractError",
    "SourceUnavailableError",
  ],
  "records, or what says where they are": [
    "TraceSequenceMerge",
    "batchOfTexts",
    "classifyEvent",
    "describeSession",
    "keysOfEnvelopes",
    "messageParts",
    "orderTrace",
    "readAllRecords",
    "recordsOf",
    "replayOrchestration",
    "streamOf",
  ],
  "a parameter of a query": ["parseSearchQuery"],
  "a function that asks for a page": ["pagesOf"],
};

/** By name; by entry point where two have the same name. */
async function exportedFunctions(): Promise<Map<string, Exported>> {
  const manifest = JSON.parse(readFileSync(path.join(PROJECT_ROOT, "package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  };
  const functions = new Map<string, Exported>();
  for (const [specifier, entry] of Object.entries(manifest.exports)) {
    if (typeof entry === "string") continue;
    const module: object = await import(path.join(PROJECT_ROOT, entry.default));
    for (const [name, value] of Object.entries(module)) {
      if (typeof value !== "function") continue;
      const isOther = functions.has(name) && functions.get(name) !== value;
      functions.set(isOther ? `${name} of ${specifier}` : name, value as Exported);
    }
  }
  return functions;
}

const exported = await exportedFunctions();

async function refusalOf(name: string, options: object): Promise<Error> {
  try {
    await (METHODS[name]?.(options) ?? WITH_OPTIONS[name]?.(exported.get(name)!, options));
  } catch (error) {
    return error as Error;
  }
  throw new Error(`${name} takes ${Object.keys(options)}.`);
}

const UNLIKE = "unlikeAnyOption";
const WRONG_CLASS = /^(TypeError|AgentAppConfigurationError)$/;

describe("Everything that the package exports", () => {
  it("is known to take options, or to take none", () => {
    const known = [...Object.keys(WITH_OPTIONS), ...Object.values(WITHOUT_OPTIONS).flat()];
    expect([...exported.keys()].sort()).toEqual(known.sort());
  });

  it("has methods of recorders that are known to take options, or to take none", () => {
    const methods = [recorder, session, trace, runRecorder].flatMap((object) => {
      const names = Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(object)));
      return names
        .filter(([name, { value }]) => typeof value === "function" && name !== "constructor")
        .map(([name]) => `${object.constructor.name}.${name}`);
    });
    const known = [...Object.keys(METHODS), ...METHODS_WITHOUT_OPTIONS].filter(
      (name) => !name.startsWith("AgentApp."),
    );
    expect(methods.sort()).toEqual(known.sort());
  });

  describe.each([...Object.keys(WITH_OPTIONS), ...Object.keys(METHODS)])("%s", (name) => {
    it("refuses an option that there is not, and names those that there are", async () => {
      const error = await refusalOf(name, { [UNLIKE]: undefined });
      expect(error.name).toMatch(WRONG_CLASS);
      expect(error.message).toContain(`Unknown option '${UNLIKE}'. The options are `);
    });

    it("says which option is meant by one that is misspelt, and refuses a wrong value of each", async () => {
      const { message } = await refusalOf(name, { [UNLIKE]: undefined });
      const options = /The options are ([\w, ]+)\.$/.exec(message)?.[1]?.split(", ") ?? [];
      expect(options).not.toEqual([]);
      for (const option of options) {
        const misspelt = await refusalOf(name, { [`${option}_`]: undefined });
        expect(misspelt.message).toContain(`Unknown option '${option}_'. Did you mean '${option}'?`);
        const wrong = await refusalOf(name, { [option]: Symbol("secret") });
        expect(wrong.name).toMatch(WRONG_CLASS);
        expect(wrong.message).toMatch(
          new RegExp(`^\`(?:\\w+(?:\\[0\\])?\\.)?${option}\` (?:must be|is no) `),
        );
        expect(wrong.message).not.toContain("secret");
      }
    });
  });
});
