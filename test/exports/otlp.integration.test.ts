import path from "node:path";
import { describe, expect, it } from "vitest";
import { writeOtlp } from "../../src/adapters/exports/otlp/otlp-writer.js";
import { createInMemoryInspectorDataSource, SessionRecorder } from "../../src/advanced.js";
import type { InspectorDataSource } from "../../src/application/ports/inspector-data-source.js";
import { lift } from "../../src/application/sources/lift.js";
import { readAllRecords } from "../../src/application/sources/record-streams.js";
import { writeDemo } from "../../src/demo/write-demo.js";
import { readMessage } from "../../src/domain/conversation/conversation.js";
import { readUsage } from "../../src/domain/dialects/recorded-usage.js";
import type { JsonObject } from "../../src/domain/json/json.js";
import type { ListedSession } from "../../src/domain/session/model-usage.js";
import { walkSpans } from "../../src/domain/spans/span.js";
import type { SessionSummary } from "../../src/domain/summary/session-summary.js";
import { openHistories } from "../../src/histories.js";
import { createOtlpDataSource } from "../../src/otlp.js";
import { createOtlpReceiver } from "../../src/otlp-receiver.js";
import { INVENTED, inventedFolder } from "../support/invented/histories.js";
import { HAS_SHARED_DATA, SHARED_DATA } from "../support/shared-data.js";
import { asTheProtocolHasIt } from "./support/protocol.js";
import { exported, folderWith, listedSession, spansOf, summaryOf } from "./support/round-trip.js";

/** Leaves out the losses that `docs/export.md` lists. */
async function sessionOf(source: InspectorDataSource, listed: ListedSession) {
  const summary = await summaryOf(source, listed);
  const spans = await spansOf(source, listed);
  return { ...numbersOf(listed, summary), steps: stepsOf(spans), messages: await messagesOf(source, listed) };
}

function numbersOf(
  listed: ListedSession,
  { counts, total, models, agents, turns, diagnosis }: SessionSummary,
) {
  const { tenantId, sessionId, title, userId, turns: asked, tokens, usage, errors, model } = listed;
  return {
    listed: { tenantId, sessionId, title, userId, asked, tokens, usage, errors, model },
    cost: listed.cost?.usd.toFixed(9),
    counts,
    total: { ...total, cost: { ...total.cost, usd: total.cost.usd.toFixed(9) } },
    models: models.map(({ model: name, calls, usage: used }) => [name, calls, used]),
    agents: agents.map(({ calls, toolCalls }) => [calls, toolCalls]),
    turns: turns.map(({ agentId, prompt, calls }) => [agentId === "", prompt, calls]),
    errors: diagnosis.errors,
  };
}

/** In the order of time. Events before the first turn become part of it. */
function stepsOf({ roots, eventOf }: Awaited<ReturnType<typeof spansOf>>) {
  const steps: { readonly at: number; readonly text: string }[] = [];
  walkSpans(roots, ({ kind, name, state, start, end, endAt, parent }) => {
    if (!KINDS.has(kind) || start.source === "orchestration") return;
    // A sub-agent begins with its turn.
    if (kind === "turn" && parent?.kind === "agent") return;
    const events = [start, ...(end === undefined || end === start ? [] : [end])].map(eventOf);
    const told = events.map((event) => [MEMBERS.map((member) => event[member]), readUsage(event)]);
    const isInTurn = state === "point" && parent?.kind === "turn";
    const place = parent === undefined || isInTurn ? "" : parent.kind;
    steps.push({ at: start.at, text: JSON.stringify([start.at, endAt, kind, name, state, place, told]) });
  });
  return steps.sort((a, b) => a.at - b.at || (a.text < b.text ? -1 : 1)).map(({ text }) => text);
}

const KINDS: ReadonlySet<string> = new Set(["turn", "llm", "tool", "text", "compaction", "error", "span"]);
const MEMBERS = [
  "text",
  "thinking",
  "toolCallId",
  "input",
  "output",
  "stopReason",
  "outcome",
  "isError",
  "refused",
  "summary",
];

async function messagesOf(source: InspectorDataSource, { tenantId, sessionId }: ListedSession) {
  const snapshot = await lift(source).openSession(tenantId, sessionId);
  const messages = await readAllRecords<JsonObject>(await snapshot!.messages(), {});
  return messages.map((message, i) => {
    const { role, origin, parts } = readMessage(message, i);
    return { role, origin, parts };
  });
}

/** Sessions with sub-agents, compactions, failures, refusals, images, branches, and sessions that are spans themselves. */
const SHARED: readonly (readonly [format: string, folder: string, sessionId: string])[] = [
  ["claude-code", "claude-code/agtrace/projects", "7f2abd2d-7cfc-4447-9ddd-3ca8d14e02e9"],
  ["claude-code", "claude-code/entire-cli/projects", "34b1e2a4-8cec-4bb9-94a0-ec9e9c639c8e"],
  ["codex", "codex/code-butler", "019ab73e-8c11-7ad2-b604-5987891db560"],
  ["gemini-cli", "gemini-cli/agent-sessions", "gemini_stage0_jsonl"],
  ["pi", "pi/run-0.87.1", "01a20e4c-7210-76f8-806b-97ee4bbfaea8"],
  ["otlp", "otlp/litellm", "debug_session_id"],
  ["otlp", "otlp/sideseat", "crewai-reasoning-64b5ee1b"],
];

const HISTORIES = [
  ...INVENTED.filter(({ kind }) => SHARED.some(([format]) => format === kind)).flatMap(
    ({ kind, sessions }) => {
      const folder = inventedFolder(kind);
      return sessions.map(({ sessionId }) => [kind, folder, sessionId] as const);
    },
  ),
  ...(HAS_SHARED_DATA ? SHARED : []).map(
    ([format, folder, sessionId]) => [format, path.join(SHARED_DATA, folder), sessionId] as const,
  ),
];

describe("OTLP of histories", () => {
  it.each(HISTORIES)(
    "its reader gives back the session: %s, %s, %s",
    async (format, directory, sessionId) => {
      const source =
        format === "otlp"
          ? createOtlpDataSource({ directory, threads: false })
          : await openHistories(format, directory, { threads: false });
      const text = await exported(source, [sessionId], writeOtlp);
      const back = createOtlpDataSource({ directory: await folderWith("spans.jsonl", text), threads: false });
      const before = await sessionOf(source, await listedSession(source, sessionId));
      expect(await sessionOf(back, await listedSession(back, sessionId))).toEqual(before);
    },
  );
});

/** Sessions of the demo with parallel, nested, failed and continued sub-agents. */
const WITH_AGENTS = [
  "bfb31ee5-598a-8e64-932a-0a14ccf7a1e1",
  "708696c0-25a0-8491-928d-99cb25618fb6",
  "18e71c19-b295-8e1c-8f57-ed43bbd213ff",
];

describe("OTLP of the demo", async () => {
  const source = createInMemoryInspectorDataSource();
  await writeDemo((clock) => new SessionRecorder(source.sessionStore, { clock }), Date.UTC(2026, 10, 26));
  const { items } = await lift(source).findSessions({ withFacts: true, limit: 100 });

  it("is a file of requests as the protocol has them, of all its sessions", async () => {
    const ids = items.map(({ sessionId }) => sessionId);
    const text = await exported(source, ids, writeOtlp);
    for (const line of text.split("\n").slice(0, -1)) {
      const request = JSON.parse(line);
      expect(asTheProtocolHasIt(request)).toEqual(request);
    }
  });

  it.each(WITH_AGENTS)("its reader gives back the session %s, received by HTTP", async (sessionId) => {
    const text = await exported(source, [sessionId], writeOtlp);
    const directory = await folderWith("none.txt", "");
    const access = () => ({ tenants: "all" as const });
    const receiver = createOtlpReceiver({ directory, access, threads: false });
    for (const body of text.split("\n").slice(0, -1)) {
      const headers = { "content-type": "application/json" };
      const response = await receiver.app.request("/v1/traces", { method: "POST", headers, body });
      expect([response.status, await response.json()]).toEqual([200, {}]);
    }
    await receiver.close();
    const back = createOtlpDataSource({ directory, threads: false });
    const before = await sessionOf(source, await listedSession(source, sessionId));
    expect(await sessionOf(back, await listedSession(back, sessionId))).toEqual(before);
  });
});
