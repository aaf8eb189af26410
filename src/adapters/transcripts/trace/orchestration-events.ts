import type { StoredOrchestrationEvent } from "../../../application/ports/session-store.js";
import type { JsonObject } from "../../../domain/json/json.js";
import { compareText } from "../../../domain/lists/compare-text.js";
import { derivedId } from "../../../domain/text/fingerprints.js";
import { formatInstant } from "../../../domain/trace/instant.js";
import type { TraceEvent } from "../../../domain/trace/trace-envelope.js";
import { parseRecordBytes } from "../../files/bytes/parse-line.js";
import type { TranscriptFormat } from "../folder/format.js";
import type { RecordParts } from "../recorder/parts.js";
import type { LineLocation } from "../recorder/trace-rows.js";
import type { SessionFile } from "./derived-file.js";
import { readPlaces } from "./read-places.js";
import { type AgentJob, endsOfJob, type SessionAgent } from "./session-agents.js";

export interface AgentsOwner {
  readonly root: string;
  readonly format: TranscriptFormat;
  readonly sessionId: string;
  readonly begun: number;
}

export function* orchestrationEventsOf(
  owner: AgentsOwner,
  agents: readonly SessionAgent[],
): Generator<void, StoredOrchestrationEvent[]> {
  const events: StoredOrchestrationEvent[] = [];
  for (const agent of agents) {
    for (const event of yield* eventsOf(owner, agent)) events.push(event);
    yield;
  }
  return events.sort((a, b) => compareText(a.occurredAt, b.occurredAt));
}

function* eventsOf(owner: AgentsOwner, agent: SessionAgent): Generator<void, StoredOrchestrationEvent[]> {
  const { sessionId, begun } = owner;
  const { agentId, role, displayName, parentAgentId, groupCallId: toolCallId, conversation } = agent;
  const events: StoredOrchestrationEvent[] = [];
  const add = (name: string, instant: number | undefined, event: TraceEvent) => {
    events.push({
      eventId: derivedId(`${sessionId}/${agentId}/${name}`),
      ...event,
      runId: sessionId,
      occurredAt: formatInstant(instant ?? begun),
    });
  };
  const spawnedAt = agent.jobs[0]?.instant ?? conversation?.firstPromptAt ?? conversation?.firstInstant;
  add("spawned", spawnedAt, {
    type: "agent_spawned",
    agent: { id: agentId, role, displayName, toolCallId },
    parentAgentId,
  });
  let closedAt: number | undefined;
  let isOpen = true;
  const jobs = agent.jobs.length > 0 ? agent.jobs : [undefined];
  for (const [i, job] of jobs.entries()) {
    const jobId = job?.toolCallId ?? agentId;
    add(`${jobId} started`, job?.instant ?? spawnedAt, { type: "agent_job_started", agentId, jobId });
    const ends = yield* endsOf(owner, agent, job, i === jobs.length - 1);
    isOpen = ends.length === 0;
    for (const [nth, end] of ends.entries()) {
      closedAt = end.instant;
      const type = end.job.outcome === "completed" ? "agent_job_completed" : "agent_job_failed";
      const name = nth === 0 ? `${jobId} ended` : `${jobId} ended ${nth + 1}`;
      add(name, end.instant, { type, agentId, job: { jobId, ...end.job } });
    }
  }
  if (!isOpen) add("closed", closedAt, { type: "agent_closed", close: { agentId } });
  return events;
}

interface JobEnd {
  readonly instant: number | undefined;
  readonly job: JsonObject & { readonly outcome: string };
}

/** Ends from the task's result or from records about a background task; without these, or without a call, from the agent's own file. */
function* endsOf(
  owner: AgentsOwner,
  agent: SessionAgent,
  job: AgentJob | undefined,
  isLast: boolean,
): Generator<void, JobEnd[]> {
  const ends: JobEnd[] = [];
  for (const end of job === undefined ? [] : endsOfJob(job)) {
    const { place, isInner, part, instant, outcome } = end;
    const record = yield* readRecord(owner, job!.source, place, isInner);
    const { text, details } = record.parts[part]?.result?.() ?? { text: "" };
    const outcomeFields = outcome === "failed" ? { error: text } : { outputText: text };
    const named = outcome === "refused" ? "cancelled" : outcome;
    ends.push({ instant, job: { outcome: named, ...outcomeFields, ...details } });
  }
  const own = ends.length > 0 || !isLast ? undefined : yield* ownEndOf(owner, agent);
  return own === undefined ? ends : [own];
}

function* ownEndOf(
  owner: AgentsOwner,
  { conversation, source }: SessionAgent,
): Generator<void, JobEnd | undefined> {
  if (conversation === undefined || source === undefined || !conversation.isFinished) return undefined;
  const outcome = conversation.hasFailed ? "failed" : "completed";
  const { newest: instant, lastText } = conversation;
  if (lastText === undefined) return { instant, job: { outcome } };
  const record = yield* readRecord(owner, source, lastText, lastText.isInner);
  return { instant, job: { outcome, outputText: record.text() } };
}

function* readRecord(
  owner: AgentsOwner,
  source: SessionFile,
  place: LineLocation,
  isInner: boolean,
): Generator<void, RecordParts> {
  let record: JsonObject = {};
  yield* readPlaces(owner, source, [place], (bytes) => {
    record = parseRecordBytes(bytes);
    return true;
  });
  const parts = owner.format.parts(record, place.line);
  return isInner ? (parts.inner ?? parts) : parts;
}
