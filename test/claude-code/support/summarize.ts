import type { InspectorDataSource } from "../../../src/application/ports/inspector-data-source.js";
import { runToEnd } from "../../../src/domain/lists/run-to-end.js";
import type { InspectorSessionItem } from "../../../src/domain/session/session.js";
import { listAgents } from "../../../src/domain/trace/orchestration.js";
import type { WorkflowTraceEventEnvelope } from "../../../src/domain/trace/trace-envelope.js";
import { mergeTrace } from "../../support/merge-trace.js";
import { storedIn } from "./projects.js";

/** A summary that a person can check against the session's file. A short session is listed line by line. */
export async function summarize(
  source: InspectorDataSource,
  sessionId: string,
  envelopes: "by type" | "by line" = "by type",
): Promise<string> {
  const item = (await source.listSessions()).find((session) => session.sessionId === sessionId)!;
  const { tenantId } = item;
  const runtime = await source.loadTraceEnvelopes(tenantId, sessionId);
  const events = await source.loadOrchestrationEvents(tenantId, sessionId);
  const trace = mergeTrace(tenantId, sessionId, runtime, events);
  const messages = await source.loadMessages(tenantId, sessionId);
  const state = await source.loadOrchestrationState(tenantId, sessionId);
  const agents = state === null ? [] : runToEnd(listAgents(state.snapshot, events));
  return `${[
    `# ${sessionId}`,
    "",
    ...describeItem(item),
    "",
    "## Turns",
    "",
    ...turnsOf(trace, sessionId),
    "",
    "## Tool calls",
    "",
    ...countBy(
      trace.filter(({ event }) => event.type === "tool.start").map(({ event }) => `${event.toolName}`),
    ),
    "",
    "## Sub-agents",
    "",
    ...agents.map(
      ({ displayName, role, status, createdAt, closedAt, lastJob, parentAgentId }) =>
        `- ${displayName} (${role || "no role"}), ${status}, ${createdAt} to ${closedAt ?? "?"}` +
        `${parentAgentId === undefined ? "" : `, of ${parentAgentId}`}` +
        `${lastJob === undefined ? "" : `, ${lastJob.outcome}: ${cut(String(lastJob.outputText ?? lastJob.error))}`}`,
    ),
    "",
    ...(envelopes === "by type"
      ? ["## Envelopes by type", "", ...countBy(trace.map(({ event }) => nameOf(event)))]
      : ["## Envelopes by line", ...linesOf(trace.filter((envelope) => envelope.source === "runtime"))]),
    "",
    "## Lines that gave envelopes, by file",
    "",
    ...countBy([...new Set(runtime.map(storedIn).map(({ file, line }) => `${file}:${line}`))].map(fileOf)),
    "",
    `${messages.length} messages`,
  ].join("\n")}\n`.replace(/\n{3,}/g, "\n\n");
}

function describeItem(item: InspectorSessionItem): string[] {
  const { title, status, turns, tokens, usage, createdAt, lastActive } = item;
  return [
    `- title: ${title}`,
    `- status: ${status}`,
    // without any instant, the list shows the file's time, which is no part of the history
    `- ${createdAt === undefined ? "no instant recorded" : `${createdAt} to ${lastActive}`}`,
    `- turns: ${turns}`,
    usage === undefined
      ? "- tokens: not counted"
      : `- tokens: ${tokens} = ${usage.inputTokens} input + ${usage.outputTokens} output + ` +
        `${usage.cacheReadTokens} cache reads + ${usage.cacheWriteTokens} cache writes`,
  ];
}

function turnsOf(trace: readonly WorkflowTraceEventEnvelope[], sessionId: string): string[] {
  const own = trace.filter(({ traceId, source }) => traceId === sessionId && source === "runtime");
  return own
    .filter(({ event }) => event.type === "turn.start")
    .map((start) => {
      const end = own.find(
        ({ event }) => event.type === "turn.end" && event.turnIndex === start.event.turnIndex,
      );
      const { line } = storedIn(start);
      const outcome = end === undefined ? "not ended" : `${end.event.outcome} ${end.timestamp}`;
      return `- line ${line}, ${start.timestamp}: ${cut(promptOf(start.event.input))} (${outcome})`;
    });
}

function linesOf(runtime: readonly WorkflowTraceEventEnvelope[]): string[] {
  const files = new Map<string, Map<number, string[]>>();
  for (const envelope of runtime) {
    const { file, line } = storedIn(envelope);
    const lines = files.get(file) ?? new Map<number, string[]>();
    files.set(file, lines.set(line, [...(lines.get(line) ?? []), eventOf(envelope)]));
  }
  const byName = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  return byName.flatMap(([file, lines]) => {
    const byNumber = [...lines].sort(([a], [b]) => a - b);
    return ["", `### ${file}`, "", ...byNumber.map(([line, events]) => `- ${line}: ${events.join("; ")}`)];
  });
}

function nameOf(event: WorkflowTraceEventEnvelope["event"]): string {
  return [event.type, event.subtype].filter(Boolean).join(" ");
}

function eventOf({ event }: WorkflowTraceEventEnvelope): string {
  const facts = () => {
    switch (event.type) {
      case "session.start":
        return event.replayed === undefined ? [] : [`${event.replayed} lines replayed`];
      case "turn.end":
        return [event.outcome];
      case "llm.end": {
        const usage = event.usage as Record<string, number>;
        return [`${Object.values(usage).join("+")} tokens`, event.stopReason];
      }
      case "tool.start":
        return [event.toolName];
      case "tool.end":
        return [event.toolName, event.isError ? "failed" : undefined];
      case "compaction.start":
      case "compaction.end":
        return [event.trigger, event.tokensBefore, event.tokensAfter];
      case "error":
        return [(event.error as { message: string }).message, event.retryAttempt];
      default:
        return [];
    }
  };
  const known = facts().filter((fact) => fact !== undefined);
  return known.length === 0 ? nameOf(event) : `${nameOf(event)} (${known.join(", ")})`;
}

function promptOf(input: unknown): string {
  if (typeof input === "string") return input;
  const block = (input as { text?: string; type: string }[])[0]!;
  return block.text ?? `[${block.type}]`;
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= 60 ? line : `${line.slice(0, 60)}…`;
}

function fileOf(place: string): string {
  return place.slice(0, place.lastIndexOf(":"));
}

function countBy(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, count]) => `- ${name}: ${count}`);
}
