import { classifyEvent } from "../dialects/event-kinds.js";
import { asksPerson } from "../dialects/question-tools.js";
import { isJsonObject, type JsonObject, present, textField } from "../json/json.js";
import { questionIn, questionOf } from "../spans/asks-person.js";
import { toolCallIdOf, toolNameOf } from "../spans/event-facts.js";

/** Ids are compared as recorded. */
interface CallKey {
  readonly traceId: string;
  /** `""` for the main agent. */
  readonly agentId: string;
  /** `""` for a nameless call: the agent's next step answers it. */
  readonly callId: string;
}

export interface OpenQuestion extends CallKey {
  /** One line of at most 300 UTF-16 code units; absent if not recorded. */
  readonly question?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at?: number | undefined;
}

/** An open tool call with a time limit. */
interface TimedCall extends CallKey {
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/** Calls of a log without an end. Plain data, stored per log. An empty list is absent. */
export interface OpenCalls {
  /** In the order of the questions. */
  readonly asked?: readonly OpenQuestion[];
  readonly timed?: readonly TimedCall[];
}

/**
 * - `ask`: a question to a person;
 * - `begin`: a tool call without a question;
 * - `end`: the end of a tool call;
 * - `answer`: an answer of a person; the call continues;
 * - `next`: the agent continues after all of its calls.
 */
export interface CallStep extends CallKey {
  readonly does: "ask" | "begin" | "end" | "answer" | "next";
  readonly instant: number | undefined;
  readonly question?: string | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Newest calls only: the bound limits the size of a log without ends. */
const MOST_OPEN = 20;

/** Longer time limits are ignored. */
const LONGEST_MS = 24 * 60 * 60_000;

export function callStepOf(
  event: JsonObject,
  traceId: string,
  instant: number | undefined,
): CallStep | undefined {
  const { kind, phase } = classifyEvent(textField(event, "type") ?? "");
  const key = { traceId, agentId: textField(event, "agentId") ?? "", callId: toolCallIdOf(event) ?? "" };
  if (kind === "input") return { ...key, does: "ask", instant, question: questionOf(event) };
  if (kind === "tool" && phase === "end") return { ...key, does: "end", instant };
  if (kind === "tool" && phase === "start") {
    const call = { toolCallId: key.callId, toolName: toolNameOf(event) ?? "" };
    return { ...key, instant, ...stepOfCall(call, event.input ?? event.args ?? event.arguments) };
  }
  const answered = textField(event, "answers");
  if (answered !== undefined) return { ...key, callId: answered, does: "answer", instant };
  const goesOn = kind === "llm" ? phase === "start" : kind === "text" && event.role === "user";
  return goesOn ? { ...key, does: "next", instant } : undefined;
}

export function stepOfCall(
  { toolCallId: callId, toolName }: { readonly toolCallId: string; readonly toolName: string },
  input: unknown,
): Omit<CallStep, "traceId" | "agentId" | "instant"> {
  if (asksPerson(toolName)) return { callId, does: "ask", question: questionIn(input) };
  return { callId, does: "begin", timeoutMs: statedTimeoutMs(toolName, input) };
}

/** Reads `timeout_ms` of Codex, and `timeout` of Claude Code's `Bash`, both in milliseconds. Other names state no unit, and are ignored. */
function statedTimeoutMs(toolName: string, input: unknown): number | undefined {
  if (!isJsonObject(input)) return undefined;
  const stated = input.timeout_ms ?? input.timeoutMs ?? (toolName === "Bash" ? input.timeout : undefined);
  return typeof stated === "number" && stated > 0 && stated <= LONGEST_MS ? stated : undefined;
}

export function followCall(calls: OpenCalls, step: CallStep): OpenCalls {
  const { traceId, agentId, callId, instant: at, question, timeoutMs } = step;
  const key = { traceId, agentId, callId };
  switch (step.does) {
    case "ask": {
      const { asked: questions = [] } = without(calls, (open) => isSame(open, key));
      return { ...calls, asked: [...questions, { ...key, question, at }].slice(-MOST_OPEN) };
    }
    case "begin": {
      // A nameless entry is a question before the call, usually for a permission.
      const rest = without(calls, (open) => isSame(open, key) || isSame(open, { ...key, callId: "" }));
      if (timeoutMs === undefined || at === undefined) return rest;
      const timed = [...(rest.timed ?? []), { ...key, until: at + timeoutMs }];
      return { ...rest, timed: timed.slice(-MOST_OPEN) };
    }
    case "end":
      return without(calls, (open) => isSame(open, key));
    case "answer":
      return present({ ...without(calls, (open) => isSame(open, key)), timed: calls.timed });
    case "next":
      return endCallsOf(calls, traceId, agentId);
    default:
      return step.does satisfies never;
  }
}

/** @param agentId default is all agents of the trace */
export function endCallsOf(calls: OpenCalls, traceId: string, agentId?: string): OpenCalls {
  return without(calls, (open) => {
    return open.traceId === traceId && (agentId === undefined || open.agentId === agentId);
  });
}

/** Covers all traces: a turn that waits for a person continues as another turn. */
export function endUnnamedQuestions(calls: OpenCalls): OpenCalls {
  return without(calls, ({ agentId, callId }) => agentId === "" && callId === "");
}

function without(calls: OpenCalls, isOver: (open: CallKey) => boolean): OpenCalls {
  const { asked: questions, timed } = calls;
  if (!questions?.some(isOver) && !timed?.some(isOver)) return calls;
  const stillOpen = (open: CallKey) => !isOver(open);
  return present({ asked: someOf(questions?.filter(stillOpen)), timed: someOf(timed?.filter(stillOpen)) });
}

function someOf<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list?.length === 0 ? undefined : list;
}

function isSame(a: CallKey, b: CallKey): boolean {
  return a.callId === b.callId && a.traceId === b.traceId && a.agentId === b.agentId;
}
