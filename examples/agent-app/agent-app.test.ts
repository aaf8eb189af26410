import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { MockLanguageModelV3 } from "ai/test";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type {
  InspectorSessionItem,
  Message,
  OrchestrationAgent,
  WorkflowTraceEventEnvelope,
} from "../../src/index.js";
import { createApp } from "./app.js";
import { SUMMARY_PREFIX } from "./compaction.js";
import { scriptedModel } from "./scripted-model.js";

const SESSION = { tenantId: "acme", sessionId: "s1" };

let root: string;
let app: ReturnType<typeof createApp>;
/** Input and output tokens of every model call, as the model reported them. */
const reported: number[] = [];

/** The script, and what it reports on the side. Told to break, it fails as a provider does. */
function observedModel(): MockLanguageModelV3 {
  const script = scriptedModel();
  return new MockLanguageModelV3({
    modelId: script.modelId,
    doGenerate: async (options) => {
      if (JSON.stringify(options.prompt.at(-1)).includes("break down"))
        throw new Error("The provider is down");
      const result = await script.doGenerate(options);
      reported.push((result.usage.inputTokens.total ?? 0) + (result.usage.outputTokens.total ?? 0));
      return result;
    },
  });
}

async function chat(message: string, session: object = SESSION) {
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify({ ...session, userId: "ada", message });
  const response = await app.request("/chat", { method: "POST", headers, body });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

async function inspect<T>(resource: string): Promise<T> {
  const response = await app.request(`/__inspector${resource}`);
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}

const trace = async (sessionId = "s1") =>
  (await inspect<{ envelopes: WorkflowTraceEventEnvelope[] }>(`/sessions/${sessionId}/trace?tenantId=acme`))
    .envelopes;

const messages = async () =>
  (await inspect<{ messages: Message[] }>("/sessions/s1/messages?tenantId=acme")).messages;

const sessionItem = async (sessionId = "s1") =>
  (await inspect<{ sessions: InspectorSessionItem[] }>("/sessions")).sessions.find(
    (session) => session.sessionId === sessionId,
  );

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), "agent-app-test-"));
  const folder = path.join(root, "notes");
  await mkdir(folder);
  await writeFile(path.join(root, "secret.txt"), "nobody may read this");
  await writeFile(
    path.join(folder, "plan.md"),
    `# Plan\nBuild the inspector.\n${"More of the plan. ".repeat(40)}\n`,
  );
  await writeFile(path.join(folder, "todo.md"), "- test the inspector\n");
  await symlink(path.join(root, "secret.txt"), path.join(folder, "link.txt"));
  app = createApp({ dataDir: path.join(root, "data"), folder, model: observedModel(), contextTokens: 600 });

  await chat("What files are there?");
  await chat("Read link.txt");
  await chat('Delegate a review of plan.md, and find "inspector"');
  await chat("Read plan.md");
  await chat('Search for "inspector"');
});

afterAll(() => rm(root, { recursive: true, force: true }));

describe("the agent application, read back over HTTP", () => {
  it("is healthy", async () => {
    expect(await inspect("/health")).toEqual({ status: "ok" });
  });

  it("lists the session with its turns, and the tokens that the model reported", async () => {
    expect(await sessionItem()).toMatchObject({
      ...SESSION,
      userId: "ada",
      title: "What files are there?",
      turns: 5,
      tokens: reported.reduce((sum, tokens) => sum + tokens, 0),
      status: "idle",
    });
  });

  it("answers the trace in the order of its sequence", async () => {
    const sequences = (await trace()).map((envelope) => envelope.sequence);
    expect(sequences.length).toBeGreaterThan(60);
    expect(sequences).toEqual([...new Set(sequences)].sort((a, b) => a - b));
  });

  it.each(["llm", "tool", "turn"])("pairs every %s.start with its end", async (kind) => {
    const events = (await trace()).map(
      ({ event, traceId }) => ({ ...event, traceId }) as Record<string, unknown>,
    );
    const keys = (type: string) =>
      events
        .filter((event) => event.type === type)
        .map((event) => `${event.traceId} ${event.callId ?? event.toolCallId ?? event.turnIndex}`)
        .sort();
    expect(keys(`${kind}.start`).length).toBeGreaterThan(0);
    expect(keys(`${kind}.end`)).toEqual(keys(`${kind}.start`));
  });

  it("keeps the agent in its folder, and records the refusal as the tool's error", async () => {
    const envelopes = await trace();
    const refusal = envelopes.find(({ event }) => event.type === "tool.end" && event.isError === true)?.event;
    expect(refusal).toMatchObject({ toolName: "read_file", output: '"link.txt" is outside of the folder.' });
    expect(JSON.stringify(envelopes)).not.toContain("nobody may read this");
  });

  it("shows both sub-agents closed, each with what it reported", async () => {
    const { agents } = await inspect<{ agents: OrchestrationAgent[] }>(
      "/sessions/s1/orchestration?tenantId=acme",
    );
    expect(agents.map(({ role }) => role).sort()).toEqual(["researcher", "reviewer"]);
    for (const agent of agents) {
      expect(agent).toMatchObject({ status: "closed", lastJob: { outcome: "completed" } });
      expect(agent.lastJob?.outputText).toContain("inspector");
      const own = (await trace()).filter(
        ({ event, source }) => source === "runtime" && event.agentId === agent.agentId,
      );
      expect(new Set(own.map(({ traceId }) => traceId)).size).toBe(1);
      expect(own.filter(({ event }) => event.type === "tool.end").length).toBeGreaterThan(0);
    }
  });

  it("resolves every wait, and completes the run", async () => {
    const types = (await trace())
      .filter(({ source }) => source === "orchestration")
      .map(({ event }) => event.type);
    const count = (type: string) => types.filter((candidate) => candidate === type).length;
    expect(count("wait_registered")).toBe(2);
    expect(count("wait_resolved")).toBe(2);
    expect(types[0]).toBe("run_started");
    expect(types.at(-1)).toBe("run_completed");
  });

  it("goes on with a summary after a compaction", async () => {
    const ends = (await trace())
      .filter(({ event }) => event.type === "compaction.end")
      .map(({ event }) => event);
    expect(ends).toHaveLength(1);
    expect(Number(ends[0]?.tokensBefore)).toBeGreaterThan(600);
    expect(Number(ends[0]?.tokensAfter)).toBeLessThan(200);
    const [summary, ...rest] = await messages();
    expect(summary?.content).toMatch(new RegExp(`^${SUMMARY_PREFIX}.*What files are there`, "s"));
    expect(rest[0]).toEqual({ role: "user", content: "Read plan.md" });
    const turn = ["user", "assistant", "tool", "assistant"];
    expect(rest.map(({ role }) => role)).toEqual([...turn, ...turn]);
  });

  it("archives the conversation that the summary replaced", async () => {
    const archive = path.join(root, "data/tenants/acme/sessions/s1/messages.compactions/0001.jsonl");
    const first = (await readFile(archive, "utf8")).split("\n")[0] ?? "";
    expect(JSON.parse(first)).toEqual({ role: "user", content: "What files are there?" });
  });

  it("stores the messages of the ai package as they are", async () => {
    const [, , call, result] = await messages();
    expect(call).toMatchObject({
      role: "assistant",
      content: [{ type: "tool-call", toolName: "read_file", input: { path: "plan.md" } }],
    });
    expect(result).toMatchObject({
      role: "tool",
      content: [{ type: "tool-result", output: { type: "text", value: expect.stringMatching(/^# Plan/) } }],
    });
  });

  it("records a turn that the provider broke", async () => {
    const { status, body } = await chat("Now break down", { tenantId: "acme", sessionId: "s2" });
    expect({ status, error: body.error }).toEqual({ status: 502, error: "The provider is down" });
    const events = (await trace("s2")).map(({ event }) => event);
    expect(events.find(({ type }) => type === "error")).toMatchObject({
      error: { message: "The provider is down" },
    });
    expect(events.at(-1)).toMatchObject({ type: "turn.end", outcome: "failed" });
    expect((await sessionItem("s2"))?.status).toBe("error");
  });

  it.each([{}, { message: "" }, { message: "hi", sessionId: "../x" }, { message: "hi", tenantId: ".." }])(
    "refuses %j",
    async (body) => {
      const headers = { "Content-Type": "application/json" };
      const response = await app.request("/chat", { method: "POST", headers, body: JSON.stringify(body) });
      expect(response.status).toBe(400);
    },
  );
});
