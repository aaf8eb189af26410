import type { StoredOrchestrationEvent } from "../../application/ports/session-store.js";
import { derivedId } from "../../domain/derived-id.js";
import { formatInstant } from "../../domain/instant.js";
import { isJsonObject, type JsonObject, objectField } from "../../domain/json.js";
import { compareText } from "../../domain/session.js";
import type { TraceEvent } from "../../domain/trace-envelope.js";
import { agentProgress, blocksOf, messageOf } from "./claude-record.js";
import type { AgentJob, SessionAgent } from "./session-agents.js";
import type { ReadFile } from "./session-reader.js";
import type { LinePlace } from "./trace-rows.js";

/** Reads the record that lies at a place of a file. */
export type ReadRecord = (source: ReadFile, place: LinePlace) => Promise<JsonObject>;

/** The session that the events are of. */
export interface AgentsOwner {
  readonly sessionId: string;
  /** The instant of what knows none. */
  readonly begun: number;
}

/** The life of every sub-agent of a session: spawned, each job begun and ended, closed after the last. */
export async function orchestrationEventsOf(
  owner: AgentsOwner,
  agents: readonly SessionAgent[],
  readRecord: ReadRecord,
): Promise<StoredOrchestrationEvent[]> {
  const events: StoredOrchestrationEvent[] = [];
  for (const agent of agents) events.push(...(await eventsOf(owner, agent, readRecord)));
  return events.sort((a, b) => compareText(a.occurredAt, b.occurredAt));
}

async function eventsOf(
  { sessionId, begun }: AgentsOwner,
  agent: SessionAgent,
  readRecord: ReadRecord,
): Promise<StoredOrchestrationEvent[]> {
  const { agentId, role, displayName, parentAgentId, thread } = agent;
  const events: StoredOrchestrationEvent[] = [];
  const add = (name: string, instant: number | undefined, event: TraceEvent) => {
    events.push({
      eventId: derivedId(`${sessionId}/${agentId}/${name}`),
      ...event,
      runId: sessionId,
      occurredAt: formatInstant(instant ?? begun),
    });
  };
  const spawnedAt = agent.jobs[0]?.instant ?? thread?.askedAt ?? thread?.firstInstant;
  add("spawned", spawnedAt, {
    type: "agent_spawned",
    agent: { id: agentId, role, displayName },
    parentAgentId,
  });
  let closedAt: number | undefined;
  let isOpen = true;
  const jobs = agent.jobs.length > 0 ? agent.jobs : [undefined];
  for (const [i, job] of jobs.entries()) {
    const jobId = job?.toolUseId ?? agentId;
    add(`${jobId} started`, job?.instant ?? spawnedAt, { type: "agent_job_started", agentId, jobId });
    const end = await endOf(agent, job, i === jobs.length - 1, readRecord);
    isOpen = end === undefined;
    if (end === undefined) continue;
    closedAt = end.instant;
    const type = end.job.outcome === "completed" ? "agent_job_completed" : "agent_job_failed";
    add(`${jobId} ended`, end.instant, { type, agentId, job: { jobId, ...end.job } });
  }
  if (!isOpen)
    add("closed", closedAt, { type: "agent_closed", close: { agentId, reason: "its last job ended" } });
  return events;
}

interface JobEnd {
  readonly instant: number | undefined;
  readonly job: JsonObject & { readonly outcome: string };
}

/** How a job ended: as its result says; for one that runs in the background, or that no call began, as its own file says. */
async function endOf(
  agent: SessionAgent,
  job: AgentJob | undefined,
  isLast: boolean,
  readRecord: ReadRecord,
): Promise<JobEnd | undefined> {
  const { thread, source } = agent;
  if (job?.result !== undefined && !job.result.isLaunch) {
    const { place, isInner, block, instant, isError } = job.result;
    const record = innerOf(await readRecord(job.source, place), isInner);
    const result = blocksOf(messageOf(record) ?? {})[block];
    const text = isJsonObject(result) ? textsOf(result.content) : "";
    const { totalDurationMs, totalTokens, totalToolUseCount } = objectField(record, "toolUseResult");
    const outcome = isError ? (isRefusal(text) ? "cancelled" : "failed") : "completed";
    const said = isError ? { error: text } : { outputText: text };
    return { instant, job: { outcome, ...said, totalDurationMs, totalTokens, totalToolUseCount } };
  }
  if (!isLast || thread === undefined || source === undefined || !thread.isFinished) return undefined;
  const outcome = thread.hasFailed ? "failed" : "completed";
  if (thread.lastText === undefined) return { instant: thread.newest, job: { outcome } };
  const record = innerOf(await readRecord(source, thread.lastText), thread.lastText.isInner);
  const outputText = textsOf(blocksOf(messageOf(record) ?? {}));
  return { instant: thread.newest, job: { outcome, outputText } };
}

function innerOf(record: JsonObject, isInner: boolean): JsonObject {
  return isInner ? (agentProgress(record)?.inner ?? record) : record;
}

/** The texts of a content, which may be one text or blocks. */
function textsOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .flatMap((block) => (isJsonObject(block) && typeof block.text === "string" ? [block.text] : []))
    .join("\n");
}

/** The user stopped the agent: that is no failure of its. */
function isRefusal(text: string): boolean {
  return (
    text.startsWith("The user doesn't want to proceed") || text.startsWith("[Request interrupted by user")
  );
}
