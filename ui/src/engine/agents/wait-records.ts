import { type JsonObject, objectField, textField, textsField } from "../../../../src/domain/json/json.js";
import { type Span, walkSpans } from "../../../../src/domain/spans/span.js";
import { MAIN_AGENT } from "../../model/address/address.js";
import type { AgentRuns, AgentWait } from "../../model/agents/agent-waits.js";

export type WaitSource = "events" | "calls" | "none";

export interface RecordedWaits {
  readonly waits: readonly AgentWait[];
  readonly source: WaitSource;
}

/**
 * Uses wait events, and tool calls that a sub-agent answers, because the calling agent stops meanwhile. Both may report the same wait.
 * @param until last instant of the trace: an unresolved wait lasts until then, or until the end of the waiting agent
 * @param eventOf event by index in the trace
 */
export function recordedWaits(
  roots: readonly Span[],
  runs: AgentRuns,
  until: number,
  eventOf: (index: number) => JsonObject,
): RecordedWaits {
  const waits: AgentWait[] = [];
  let source: WaitSource = "none";
  walkSpans(roots, (span) => {
    if (span.kind !== "wait" && span.kind !== "tool") return;
    if (span.start.phase !== "start") return;
    const wait = span.kind === "wait" ? readWait(span, runs, until, eventOf) : waitOfCall(span, runs, until);
    if (wait === undefined) return;
    if (span.kind === "wait") source = "events";
    else if (source === "none") source = "calls";
    waits.push(wait);
  });
  return { waits, source };
}

/** `wait.agentId` waits for `wait.agentIds`. Alone, it is the awaited agent, and its parent waits. */
function readWait(
  span: Span,
  runs: AgentRuns,
  until: number,
  eventOf: (index: number) => JsonObject,
): AgentWait | undefined {
  const event = eventOf(span.start.index);
  const wait = objectField(event, "wait");
  const named = textField(wait, "agentId");
  const several = textsField(wait, "agentIds");
  const awaitedIds = several.length > 0 || named === undefined ? several : [named];
  const caller = several.length > 0 ? (named ?? textField(event, "agentId")) : textField(event, "agentId");
  const parent = awaitedIds.map((id) => runs.get(id)?.parentId).find((id) => id !== undefined);
  const waiter = runs.get(caller ?? parent ?? MAIN_AGENT) ?? runs.get(MAIN_AGENT);
  if (waiter === undefined || awaitedIds.length === 0) return undefined;
  const resolution = span.end === undefined ? {} : objectField(eventOf(span.end.index), "resolution");
  const to = span.state === "open" ? Math.min(until, waiter.to) : span.endAt;
  const resolvedBy = textField(resolution, "agentId") ?? textField(resolution, "by");
  return { waiterId: waiter.id, awaitedIds, from: span.start.at, to, resolvedBy };
}

/** `undefined` if the call spawned no agent, or did not wait for it. */
function waitOfCall(call: Span, runs: AgentRuns, until: number): AgentWait | undefined {
  const spawned = call.children.filter(({ kind }) => kind === "agent");
  const spawnedRuns = spawned.map(({ agentId }) => runs.get(agentId)).filter((run) => run !== undefined);
  if (spawnedRuns.length === 0) return undefined;
  const from = Math.max(call.start.at, Math.min(...spawnedRuns.map((run) => run.from)));
  const to = Math.min(
    call.state === "open" ? until : call.endAt,
    Math.max(...spawnedRuns.map((run) => run.to)),
  );
  const awaitedIds = spawnedRuns.map(({ id }) => id);
  return { waiterId: call.agentId || MAIN_AGENT, awaitedIds, from, to, resolvedBy: undefined };
}
