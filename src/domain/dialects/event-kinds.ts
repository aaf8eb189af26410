import { type JsonObject, textField } from "../json/json.js";

/**
 * Agent applications spell the same event differently. This table is the one place that knows the spellings; a type that
 * is not in it is an event like any other, of kind `unknown`.
 */
export type EventKind =
  | "session"
  | "run"
  | "turn"
  | "llm"
  | "tool"
  | "skill"
  | "text"
  | "compaction"
  | "input"
  | "usage"
  | "agent"
  | "job"
  | "wait"
  | "error"
  | "span"
  | "evaluation"
  | "unknown";

/** `start` and `end` bracket a span; a `point` has no other end. */
export type EventPhase = "start" | "end" | "point";

export interface EventClass {
  readonly kind: EventKind;
  readonly phase: EventPhase;
}

const SPELLINGS: Readonly<
  Record<Exclude<EventKind, "unknown">, Partial<Record<EventPhase, readonly string[]>>>
> = {
  session: { start: ["session.start", "session_start"], end: ["session.end", "session_end"] },
  run: {
    start: ["run.start", "agent.start", "agent_start", "run_started", "orchestration_run_start"],
    end: ["run.end", "agent.end", "agent_end", "run_completed", "orchestration_run_complete"],
  },
  turn: { start: ["turn.start", "turn_start"], end: ["turn.end", "turn_end"] },
  llm: {
    start: ["llm.start", "llm_start", "llm.before", "model.before", "model.start"],
    end: ["llm.end", "llm_end", "llm.after", "model.after", "model.end"],
    point: ["message_start", "message_update", "message_end"],
  },
  tool: {
    start: ["tool.start", "tool_start", "tool.before", "tool_execution_start"],
    end: ["tool.end", "tool_end", "tool.after", "tool_execution_end"],
    point: ["tool_execution_update"],
  },
  skill: { start: ["skill.start", "skill_start"], end: ["skill.end", "skill_end"] },
  /** Text between calls, recorded as a separate event. */
  text: { point: ["text", "thinking"] },
  compaction: {
    start: ["compaction.start", "compaction_start", "compaction.before", "context_compaction_start"],
    end: ["compaction.end", "compaction_end", "compaction.after", "context_compaction_end"],
  },
  input: { point: ["input.waiting", "waiting_for_user_input"] },
  usage: { point: ["context.usage", "context_usage"] },
  agent: {
    start: ["agent_spawned", "subagent_spawned"],
    end: ["agent_closed", "subagent_closed"],
    point: [
      "agent_status_changed",
      "subagent_status",
      "agent_input_queued",
      "agent_input_removed",
      "subagent_message",
    ],
  },
  job: {
    start: ["agent_job_started", "subagent_job_started"],
    end: ["agent_job_completed", "agent_job_failed", "subagent_job_completed", "subagent_job_failed"],
  },
  wait: { start: ["wait_registered"], end: ["wait_resolved"] },
  error: { point: ["error"] },
  /** A step without further classification, recorded at its end. */
  span: { point: ["span"] },
  /** The verdict of an evaluator on a step. */
  evaluation: { point: ["evaluation"] },
};

const CLASSES: ReadonlyMap<string, EventClass> = new Map(
  Object.entries(SPELLINGS).flatMap(([kind, phases]) =>
    Object.entries(phases).flatMap(([phase, types]) =>
      types.map((type): [string, EventClass] => [
        type,
        { kind: kind as EventKind, phase: phase as EventPhase },
      ]),
    ),
  ),
);

/** Event types of the runtime's own records, which are not steps of the agent. */
const BOOKKEEPING: ReadonlySet<string> = new Set([
  "agent_status_changed",
  "context.usage",
  "context_usage",
  "message_update",
  "subagent_status",
  "tool_execution_update",
]);

const UNKNOWN: EventClass = { kind: "unknown", phase: "point" };

/**
 * Classifies an event by its `type`: its kind, and if it begins or ends something. An unregistered type is a point of kind `unknown`.
 *
 * @example classifyEvent("tool_execution_start") // { kind: "tool", phase: "start" }
 * @example classifyEvent("acme.retry") // { kind: "unknown", phase: "point" }
 */
export function classifyEvent(type: string): EventClass {
  return CLASSES.get(type) ?? UNKNOWN;
}

export function isBookkeepingType(type: string): boolean {
  return BOOKKEEPING.has(type);
}

/** Every spelling that the table knows. */
export function knownEventTypes(): readonly string[] {
  return [...CLASSES.keys()];
}

/** A runtime's record of internal work, beside the agent's activity. */
export interface Bookkeeping {
  readonly kind: "hook" | "record";
  /** The tool call that it says it belongs to. */
  readonly toolCallId: string | undefined;
  /** The id of the envelope that it says it belongs to. */
  readonly stepId: string | undefined;
}

/**
 * Determined by the event's member `bookkeeping`, by its type, or because it repeats another event: a repeated record is displayed at its
 * first position.
 *
 * @returns `undefined` for other events, such as all that begin or end something
 */
export function readBookkeeping(event: JsonObject): Bookkeeping | undefined {
  const type = textField(event, "type") ?? "";
  const isRecord = event.bookkeeping === "record" || event.repeats === true || isBookkeepingType(type);
  const kind = event.bookkeeping === "hook" ? "hook" : isRecord ? "record" : undefined;
  if (kind === undefined || classifyEvent(type).phase !== "point") return undefined;
  return { kind, toolCallId: textField(event, "toolCallId"), stepId: textField(event, "stepId") };
}
