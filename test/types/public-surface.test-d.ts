/** The public types as facts. The compiler is the test, nothing here runs; a line under `@ts-expect-error` must not compile. */
import { createServer } from "node:http";
import type Anthropic from "@anthropic-ai/sdk";
import type { ModelMessage, UIMessage } from "ai";
import { fastify } from "fastify";
import type { Hono } from "hono";
import type OpenAI from "openai";
import { expectTypeOf } from "vitest";
import {
  createFilesystemInspectorDataSource,
  createInMemoryInspectorDataSource,
  createInspectorContainer,
  createInspectorRoute,
  GetSessionTrace,
  InProcessPool,
  ListSessions,
  type ReadingPool,
  scopeToTenants,
  TOKENS,
} from "../../src/advanced.js";
import { defineFormat, type FormatDefinition, type HistoryPart } from "../../src/formats.js";
import { createHistoriesDataSource } from "../../src/histories.js";
import {
  type AgentApp,
  type AgentAppEnv,
  type AgentAppOptions,
  createAgentApp,
  type FlushOptions,
  type FlushReport,
  type INSPECTOR_PATH,
  type InspectorDataSource,
  type InspectorSessionItem,
  type Message,
  mountInspector,
  type OrchestrationAgent,
  type OrchestrationSnapshot,
  type RecordableEvent,
  type RecordableMessage,
  type RecordedSession,
  type RecordedTrace,
  type RecordStream,
  type SessionKey,
  type SessionRecorder,
  type SessionSnapshot,
  type SessionStore,
  type TraceStream,
  type WorkflowTraceEventEnvelope,
} from "../../src/index.js";

/** The required members. */
type Always<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] };

expectTypeOf<typeof INSPECTOR_PATH>().toEqualTypeOf<"/__inspector">();

// A session has the seven fields of the specification; others are optional.
expectTypeOf<Always<InspectorSessionItem>>().toEqualTypeOf<{
  readonly tenantId: string;
  readonly sessionId: string;
  readonly userId: string;
  readonly lastActive: string;
  readonly turns: number;
  readonly tokens: number;
  readonly status: "idle" | "running" | "waiting" | "error";
}>();
expectTypeOf<InspectorSessionItem["title"]>().toEqualTypeOf<string | undefined>();

// An envelope has the eight fields of the specification; its event has a type and anything else.
expectTypeOf<keyof WorkflowTraceEventEnvelope>().toEqualTypeOf<
  "id" | "timestamp" | "sequence" | "source" | "sessionId" | "tenantId" | "traceId" | "event"
>();
expectTypeOf<WorkflowTraceEventEnvelope["sequence"]>().toEqualTypeOf<number>();
expectTypeOf<WorkflowTraceEventEnvelope["source"]>().toEqualTypeOf<"runtime" | "orchestration">();
expectTypeOf<WorkflowTraceEventEnvelope["event"]["type"]>().toEqualTypeOf<string>();
expectTypeOf<WorkflowTraceEventEnvelope["event"]["anything"]>().toEqualTypeOf<unknown>();

// An agent has the fields of the specification; a closed one also has the instant.
expectTypeOf<keyof Always<OrchestrationAgent>>().toEqualTypeOf<
  "agentId" | "displayName" | "status" | "role" | "createdAt" | "events"
>();
expectTypeOf<OrchestrationAgent["closedAt"]>().toEqualTypeOf<string | undefined>();
expectTypeOf<"closed">().toExtend<OrchestrationAgent["status"]>();

expectTypeOf<{ role: string; content: { type: string }[] }>().toExtend<Message>();
expectTypeOf<string>().not.toExtend<Message>();

declare const item: InspectorSessionItem;
declare const snapshot: OrchestrationSnapshot;
const five = {
  listSessions: async () => [item],
  loadTraceEnvelopes: async (
    _tenantId: string,
    _sessionId: string,
  ): Promise<WorkflowTraceEventEnvelope[]> => [],
  loadOrchestrationEvents: async (_tenantId: string, _sessionId: string): Promise<unknown[]> => [],
  loadOrchestrationState: async (_tenantId: string, _sessionId: string) => ({ snapshot }),
  loadMessages: async (_tenantId: string, _sessionId: string) => [{ role: "user", content: "hello" }],
};
expectTypeOf(five).toExtend<InspectorDataSource>();
expectTypeOf<Omit<typeof five, "loadMessages">>().not.toExtend<InspectorDataSource>();
expectTypeOf<keyof Always<InspectorDataSource>>().toEqualTypeOf<keyof typeof five>();
type State = Awaited<ReturnType<InspectorDataSource["loadOrchestrationState"]>>;
expectTypeOf<{ snapshot: OrchestrationSnapshot } | null>().toExtend<State>();
expectTypeOf<NonNullable<State>["snapshot"]>().toEqualTypeOf<OrchestrationSnapshot>();
expectTypeOf<Awaited<ReturnType<InspectorDataSource["loadOrchestrationEvents"]>>>().toEqualTypeOf<
  unknown[]
>();

// Methods may take fewer parameters, and no signal.
const source: InspectorDataSource = { ...five, loadMessages: async () => [] };

declare const trace: TraceStream;
declare const records: RecordStream;
const parts = {
  revision: undefined,
  trace: async () => trace,
  messages: async () => records,
  orchestration: async () => ({ events: records, state: async () => null }),
};
expectTypeOf(parts).toExtend<SessionSnapshot>();
expectTypeOf<Omit<typeof parts, "revision">>().not.toExtend<SessionSnapshot>();
expectTypeOf<Omit<typeof parts, "trace">>().not.toExtend<SessionSnapshot>();
expectTypeOf<{ openSession: () => Promise<typeof parts> }>().toExtend<Partial<InspectorDataSource>>();
expectTypeOf<{ openSession: () => Promise<undefined> }>().toExtend<Partial<InspectorDataSource>>();
expectTypeOf<TraceStream>().toExtend<RecordStream>();
declare const session: SessionSnapshot;
expectTypeOf(session.messages).toBeCallableWith();
expectTypeOf(session.messages).toBeCallableWith("agent-1");

// @ts-expect-error a status that is none
export const unknownStatus: InspectorSessionItem = { ...item, status: "done" };

// The compiler checks some combinations of the three options; the rest is checked at start-up.
declare const sessionStore: SessionStore;
expectTypeOf(createAgentApp).toBeCallableWith();
expectTypeOf(createAgentApp).toBeCallableWith({ dataDir: "./data", inspector: true });
expectTypeOf(createAgentApp).toBeCallableWith({ sessionStore, inspector: source });
expectTypeOf(createAgentApp).toBeCallableWith({ inspector: five });
expectTypeOf(createAgentApp).toBeCallableWith({ dataDir: process.env.DATA_DIR });
expectTypeOf(createAgentApp).toBeCallableWith({
  recorderOptions: { onError: ({ message, cause }) => [message, cause] },
});
expectTypeOf<keyof AgentAppOptions>().toEqualTypeOf<
  "dataDir" | "sessionStore" | "inspector" | "inspectorOptions" | "recorderOptions" | "threads" | "pool"
>();

// @ts-expect-error the path cannot be set
createAgentApp({ inspector: source, inspectorPath: "/elsewhere" });
// @ts-expect-error a source without its methods
createAgentApp({ inspector: { listSessions: async () => [] } });
// @ts-expect-error text is no source
createAgentApp({ inspector: "./data" });
// @ts-expect-error a store without its methods
createAgentApp({ sessionStore: {} });
// @ts-expect-error a path is text
createAgentApp({ dataDir: 1 });

declare const event: RecordableEvent;
const app = createAgentApp();
expectTypeOf(app).toEqualTypeOf<AgentApp>();
expectTypeOf(app).toExtend<Hono<AgentAppEnv>>();
expectTypeOf(app.sessions).toEqualTypeOf<SessionRecorder>();
expectTypeOf(app.close).toEqualTypeOf<(options?: FlushOptions) => Promise<void>>();
app.get("/", async (c) => {
  expectTypeOf(c.var.sessions).toEqualTypeOf<SessionRecorder>();
  const session = await c.var.sessions.open({ tenantId: "acme", userId: "ada" });
  expectTypeOf(session).toEqualTypeOf<RecordedSession>();
  const trace = session.startTrace();
  expectTypeOf(trace).toEqualTypeOf<RecordedTrace>();
  await trace.record({ type: "tool.start", toolCallId: "1", toolName: "read" });
  await trace.record({ type: "my.own.event", anything: [1, 2] }, { at: new Date(0) });
  expectTypeOf(c.var.sessions.flush).toEqualTypeOf<(options?: FlushOptions) => Promise<FlushReport>>();
  await trace.record(event);
  await trace.record({ type: event.type, anything: 1 });
  await trace.record({ type: "llm.start", callId: "1", messages: prompt, metadata: { attempt: 2 } });
  // @ts-expect-error a misspelt member of an event that the recorder offers
  await trace.record({ type: "tool.end", toolCallId: "1", toolName: "read", isEror: true });
  // @ts-expect-error a member that is missing
  await trace.record({ type: "tool.end", isError: true });
  // @ts-expect-error a value that is none of the member's
  await trace.record({ type: "turn.end", turnIndex: 0, outcome: "done" });
  // @ts-expect-error an event has a type
  await trace.record({ toolCallId: "1" });
  // @ts-expect-error there is no such variable
  return c.json(c.var.inspector);
});

expectTypeOf(createInspectorRoute(source)).toExtend<Hono>();

const mounted = mountInspector({ source, access: () => ({ tenants: ["acme"] }), basePath: "/a" });
createServer(mounted.listener);
fastify().addHook("onRequest", (request, reply, done) => void mounted.listener(request.raw, reply.raw, done));
expectTypeOf(mounted.fetch).toExtend<(request: Request) => Response | Promise<Response>>();
// @ts-expect-error there is nothing to show
mountInspector({ access: () => ({ tenants: "all" }) });
expectTypeOf(createInspectorRoute).toBeCallableWith(five, { onError: (error: unknown) => String(error) });
expectTypeOf(createFilesystemInspectorDataSource("./data")).toEqualTypeOf<InspectorDataSource>();
expectTypeOf(createInMemoryInspectorDataSource()).toExtend<InspectorDataSource>();
expectTypeOf(createInMemoryInspectorDataSource().sessionStore).toEqualTypeOf<SessionStore>();
// @ts-expect-error the folder is needed
createFilesystemInspectorDataSource();

expectTypeOf(createAgentApp).toBeCallableWith({
  inspector: five,
  inspectorOptions: { access: () => ({ tenants: "all" }) },
});
expectTypeOf(createInspectorRoute).toBeCallableWith(five, {
  access: async (c) => (c.req.header("Authorization") ? { tenants: ["acme"] } : c.text("no", 401)),
});
// @ts-expect-error one tenant is no list
createInspectorRoute(five, { access: () => ({ tenants: "acme" }) });
// @ts-expect-error nothing is no decision
createInspectorRoute(five, { access: () => undefined });
expectTypeOf(scopeToTenants(five, ["acme"])).toEqualTypeOf<InspectorDataSource>();

expectTypeOf(ListSessions).toBeConstructibleWith(five);
expectTypeOf(GetSessionTrace).toBeConstructibleWith(five);
expectTypeOf(GetSessionTrace).toBeConstructibleWith(five, new InProcessPool());

const container = createInspectorContainer(five, { pool: new InProcessPool(), sessionStore });
expectTypeOf(container.resolve(TOKENS.readingPool)).toEqualTypeOf<ReadingPool>();
expectTypeOf(container.resolve(TOKENS.recorder)).toEqualTypeOf<SessionRecorder>();
container.register(TOKENS.checkHealth, { useValue: { execute: () => ({ status: "ok" }) } });
// @ts-expect-error it answers something else
container.register(TOKENS.checkHealth, { useValue: { execute: () => ({ status: "dead" }) } });
expectTypeOf(createInspectorRoute).toBeCallableWith(container);

// Recorder and stores take any vendor's messages unchanged.
declare const prompt: Anthropic.MessageParam[];
declare const answer: Anthropic.Message;
declare const chat: OpenAI.Chat.ChatCompletionMessageParam[];
declare const completion: OpenAI.Chat.ChatCompletion;
declare const items: OpenAI.Responses.ResponseInputItem[];
declare const response: OpenAI.Responses.Response;
declare const modelMessages: ModelMessage[];
declare const uiMessages: UIMessage[];
declare const recorded: RecordedSession;
declare const key: SessionKey;
interface OwnMessage {
  readonly role: string;
}
declare const ownMessages: readonly OwnMessage[];
for (const append of [
  recorded.appendMessages.bind(recorded),
  recorded.compactMessages.bind(recorded),
  (messages: readonly RecordableMessage[]) => sessionStore.appendMessages(key, messages),
]) {
  await append(prompt);
  await append([...prompt, answer]);
  await append(chat);
  await append(completion.choices.map(({ message }) => message));
  await append(items);
  await append(response.output);
  await append(modelMessages);
  await append(uiMessages);
  await append(ownMessages);
  // @ts-expect-error a text is no message
  await append(["hello"]);
}

expectTypeOf(defineFormat).returns.toEqualTypeOf<FormatDefinition>();
defineFormat({
  id: "quill",
  label: "Quill",
  files: {
    ending: ".log",
    session: (first) => (typeof first.id === "string" ? { id: first.id } : undefined),
  },
  instantMember: "at",
  record: ({ text }, line) => ({
    parts: [{ is: "prompt", text: `${line} ${String(text)}`, more: { at: "desk" } }],
    call: { usage: { inputTokens: 1 } },
  }),
});
// @ts-expect-error: a part has one of the kinds.
expectTypeOf<{ is: "question"; text: string }>().toExtend<HistoryPart>();
// @ts-expect-error: a format states how its files are recognised.
defineFormat({ id: "quill", label: "Quill", instantMember: "at", record: () => ({ parts: [] }) });
expectTypeOf(createHistoriesDataSource).returns.resolves.toEqualTypeOf<InspectorDataSource>();
// @ts-expect-error: `createHistoriesDataSource` needs a folder.
void createHistoriesDataSource({ formats: [] });
