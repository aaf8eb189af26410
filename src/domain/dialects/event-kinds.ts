import { type JsonObject, textField } from "../json/json.js";

/** The only table of event spellings, which differ between applications. A type outside of it has the kind `unknown`. */
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

/** `start` and `end` bracket a span. */
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
  /** A step without a kind, recorded at its end. */
  span: { point: ["span"] },
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
 * A type outside of the table is a point of kind `unknown`.
 * @example classifyEvent("tool_execution_start") // { kind: "tool", phase: "start" }
 * @example classifyEvent("acme.retry") // { kind: "unknown", phase: "point" }
 */
export function classifyEvent(type: string): EventClass {
  return CLASSES.get(type) ?? UNKNOWN;
}

export function isBookkeepingType(type: string): boolean {
  return BOOKKEEPING.has(type);
}

export function registeredEventTypes(): readonly string[] {
  return [...CLASSES.keys()];
}

/** A runtime's record of internal work, beside the agent's activity. */
export interface Bookkeeping {
  readonly kind: "hook" | "record";
  readonly toolCallId: string | undefined;
  /** Id of the envelope that it names as its owner. */
  readonly stepId: string | undefined;
}

/**
 * Decided by the member `bookkeeping`, by the type, or by a repetition: the first position of a repeated event counts.
 * @returns `undefined` for other events, such as all starts and ends
 */
export function readBookkeeping(event: JsonObject): Bookkeeping | undefined {
  const type = textField(event, "type") ?? "";
  const isRecord = event.bookkeeping === "record" || event.repeats === true || isBookkeepingType(type);
  const kind = event.bookkeeping === "hook" ? "hook" : isRecord ? "record" : undefined;
  if (kind === undefined || classifyEvent(type).phase !== "point") return undefined;
  return { kind, toolCallId: textField(event, "toolCallId"), stepId: textField(event, "stepId") };
}
