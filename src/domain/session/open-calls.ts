import { classifyEvent } from "../dialects/event-kinds.js";
import { asksPerson } from "../dialects/question-tools.js";
import { isJsonObject, type JsonObject, textField } from "../json/json.js";
import { jsonTextOf } from "../json/json-text-of.js";
import { errorText, modelCallIdOf, toolCallIdOf, toolInput, toolNameOf } from "../spans/event-facts.js";
import { questionIn, questionOf } from "./asks-person.js";
import {
  beginInSeries,
  type CallKey,
  type CallSeries,
  type CallStart,
  endInSeries,
  isSame,
  sampleOf,
  textKey,
} from "./call-series.js";

export interface OpenQuestion extends CallKey {
  /** One line of at most 300 UTF-16 code units; absent if not recorded. */
  readonly question?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at?: number | undefined;
}

/** Longest call of a tool, or with `""` of a model. */
interface LongestCall {
  readonly toolName: string;
  readonly ms: number;
}

/** Plain data, stored per log. An empty list is absent. */
export interface CallActivity {
  /** Questions without an answer, in their order. */
  readonly questions?: readonly OpenQuestion[] | undefined;
  /** Calls without an end, in the order of their starts. */
  readonly calls?: readonly CallStart[] | undefined;
  readonly longest?: readonly LongestCall[] | undefined;
  /** The newest calls of each agent, the agent of the newest one last. */
  readonly series?: readonly CallSeries[] | undefined;
}

/**
 * - `ask`: a question to a person;
 * - `begin`: a tool call without a question;
 * - `end`: the end of a call;
 * - `answer`: an answer of a person; the call continues;
 * - `next`: the agent continues after all of its calls.
 */
export interface CallStep extends CallKey {
  readonly does: "ask" | "begin" | "end" | "answer" | "next";
  readonly instant: number | undefined;
  readonly question?: string | undefined;
  readonly timeoutMs?: number | undefined;
  /** For `begin`; also for `next`, if a model call begins. */
  readonly toolName?: string | undefined;
  readonly input?: number | undefined;
  readonly result?: number | undefined;
}

/** Newest calls only: the bound limits the size of a log without ends. */
const MOST_OPEN = 20;

const MOST_TOOLS = 50;
const LONGEST_NAME = 256;

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
  if (kind === "tool" && phase === "end")
    return { ...key, does: "end", instant, result: textKey(resultIn(event)) };
  if (kind === "tool" && phase === "start") {
    const call = { toolCallId: key.callId, toolName: toolNameOf(event) ?? "" };
    return { ...key, instant, ...stepOfCall(call, toolInput(event)) };
  }
  const answered = textField(event, "answers");
  if (answered !== undefined) return { ...key, callId: answered, does: "answer", instant };
  if (kind === "llm" && phase !== "point") {
    const call = { ...key, callId: `llm ${modelCallIdOf(event) ?? ""}`, toolName: "", instant };
    return { ...call, does: phase === "start" ? "next" : "end" };
  }
  return kind === "text" && event.role === "user" ? { ...key, does: "next", instant } : undefined;
}

function resultIn(event: JsonObject): string | undefined {
  return textOf(event.output ?? event.result) ?? (errorText("tool", event) || undefined);
}

/** `undefined` for a value without JSON text, which an application may pass. */
function textOf(value: unknown): string | undefined {
  try {
    return value === null ? undefined : jsonTextOf(value);
  } catch {
    return undefined;
  }
}

export function stepOfCall(
  { toolCallId: callId, toolName }: { readonly toolCallId: string; readonly toolName: string },
  input: unknown,
): Omit<CallStep, "traceId" | "agentId" | "instant"> {
  if (asksPerson(toolName)) return { callId, does: "ask", question: questionIn(input) };
  const timeoutMs = statedTimeoutMs(toolName, input);
  return { callId, does: "begin", toolName, timeoutMs, input: textKey(textOf(sampled(input)), toolName) };
}

/** Without long texts, such as the content of a file: writing them as JSON costs more than all else. */
function sampled(input: unknown): unknown {
  if (!isJsonObject(input)) return input;
  return Object.entries(input).map(([name, value]) => [
    name,
    typeof value === "string" ? sampleOf(value) : value,
  ]);
}

/** Reads `timeout_ms` of Codex, and `timeout` of Claude Code's `Bash`, both in milliseconds. Other names state no unit, and are ignored. */
function statedTimeoutMs(toolName: string, input: unknown): number | undefined {
  if (!isJsonObject(input)) return undefined;
  const stated = input.timeout_ms ?? input.timeoutMs ?? (toolName === "Bash" ? input.timeout : undefined);
  return typeof stated === "number" && stated > 0 && stated <= LONGEST_MS ? stated : undefined;
}

export function followCall(activity: CallActivity, step: CallStep): CallActivity {
  const { traceId, agentId, callId, instant: at, question } = step;
  const key = { traceId, agentId, callId };
  switch (step.does) {
    case "ask": {
      const { questions = [] } = without(activity, (open) => isSame(open, key), false);
      return { ...activity, questions: [...questions, { ...key, question, at }].slice(-MOST_OPEN) };
    }
    case "begin":
      // A nameless entry is a question before the call, usually for a permission.
      return begin(
        without(activity, (open) => isSame(open, key) || isSame(open, { ...key, callId: "" })),
        step,
      );
    case "end": {
      const rest = without(activity, (open) => isSame(open, key));
      const call = activity.calls?.find((open) => isSame(open, key));
      return call === undefined ? rest : end(rest, call, step);
    }
    case "answer":
      return without(activity, (open) => isSame(open, key), false);
    case "next":
      return begin(endCallsOf(activity, traceId, agentId), step);
    default:
      return step.does satisfies never;
  }
}

function begin(activity: CallActivity, step: CallStep): CallActivity {
  const { traceId, agentId, callId, toolName, instant: at, timeoutMs, input } = step;
  if (toolName === undefined || toolName.length > LONGEST_NAME || at === undefined) return activity;
  const until = timeoutMs && at + timeoutMs;
  const call: CallStart = { traceId, agentId, callId, toolName, at, until, input };
  const series = toolName === "" ? activity.series : beginInSeries(activity.series, call);
  return withLists({ ...activity, calls: [...(activity.calls ?? []), call].slice(-MOST_OPEN), series });
}

function end(activity: CallActivity, call: CallStart, { instant = call.at, result }: CallStep): CallActivity {
  const next = withDuration(activity, call.toolName, instant - call.at);
  return call.toolName === "" ? next : withLists({ ...next, series: endInSeries(next.series, call, result) });
}

export function withDuration(activity: CallActivity, toolName: string, ms: number): CallActivity {
  const { longest = [] } = activity;
  const existing = longest.find((one) => one.toolName === toolName);
  if (!(ms >= 0) || ms <= (existing?.ms ?? -1) || (!existing && longest.length >= MOST_TOOLS))
    return activity;
  return { ...activity, longest: [...longest.filter((one) => one !== existing), { toolName, ms }] };
}

/** @param agentId default is all agents of the trace */
export function endCallsOf(activity: CallActivity, traceId: string, agentId?: string): CallActivity {
  return without(activity, (open) => {
    return open.traceId === traceId && (agentId === undefined || open.agentId === agentId);
  });
}

/** Covers all traces: a turn that waits for a person continues as another turn. */
export function endUnnamedQuestions(activity: CallActivity): CallActivity {
  return without(activity, ({ agentId, callId }) => agentId === "" && callId === "");
}

/** Calls before a prompt are over or another matter, on any trace. Questions stay open. */
export function endWorkBefore(activity: CallActivity, agentId: string): CallActivity {
  const isOther = (one: CallKey) => one.agentId !== agentId;
  const series = agentId === "" ? undefined : activity.series?.filter(isOther);
  return withLists({ ...activity, calls: activity.calls?.filter(isOther), series });
}

function without(activity: CallActivity, isOver: (open: CallKey) => boolean, endsCalls = true): CallActivity {
  const { questions, calls } = activity;
  const isEnded = endsCalls ? isOver : () => false;
  if (!questions?.some(isOver) && !calls?.some(isEnded)) return activity;
  return withLists({
    ...activity,
    questions: questions?.filter((open) => !isOver(open)),
    calls: calls?.filter((open) => !isEnded(open)),
  });
}

/** The members of a {@link CallActivity} without empty lists. One by one: a list follows many calls, and spreads are slow. */
export function withLists({ questions, calls, longest, series }: CallActivity): CallActivity {
  const some: { -readonly [Name in keyof CallActivity]: CallActivity[Name] } = {};
  if (questions?.length) some.questions = questions;
  if (calls?.length) some.calls = calls;
  if (longest) some.longest = longest;
  if (series?.length) some.series = series;
  return some;
}
