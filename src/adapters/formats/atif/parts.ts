import { callsOfStep, resultsOfStep, type StepCall } from "../../../domain/conversation/trajectory-steps.js";
import { isJsonObject, type JsonObject, labelOf, objectField, textField } from "../../../domain/json/json.js";
import { jsonTextOf } from "../../../domain/json/json-text-of.js";
import type { ReportedCall } from "../../transcripts/recorder/calls.js";
import * as parts from "../../transcripts/recorder/parts.js";
import * as atif from "./record.js";

export type AtifPart =
  | parts.CommonPart
  | (parts.Part & { readonly is: "trajectory" })
  /** The step has no time. */
  | (parts.Part & { readonly is: "untimed" })
  /** `within`: sums of embedded trajectories. */
  | (parts.Part & { readonly is: "totals"; readonly stated: JsonObject; readonly within: atif.Totals });

/** A step, or members of a trajectory beside its steps. */
export interface AtifRecord extends parts.RecordParts<AtifPart> {
  /** Author of a step; `undefined` for other records. */
  readonly source: "user" | "agent" | "system" | "other" | undefined;
  readonly isCopied: boolean;
  /** The steps need not repeat these. */
  readonly trajectoryId?: string | undefined;
  readonly agentModel?: string | undefined;
  readonly directory?: string | undefined;
  /** Sub-agents in the results, by the calls that spawned them. */
  readonly spawned: readonly { readonly agentId: string; readonly toolCallId: string }[];
  readonly totals: atif.Totals;
  /** `undefined` without a model call. */
  readonly call: Omit<ReportedCall, "recordId"> | undefined;
}

export function readRecord(record: JsonObject): AtifRecord {
  return atif.isStep(record) ? readStep(record) : readTrajectory(record);
}

function readTrajectory(record: JsonObject): AtifRecord {
  const { [atif.STEPS]: steps, [atif.SUBAGENTS]: agents, ...rest } = record;
  const { agent: _, extra: __, final_metrics: stated, ...named } = rest;
  const { cwd: directory, title } = objectField(record, "extra");
  const about = objectField(record, "agent");
  const event = () => ({ type: "atif.trajectory", bookkeeping: "record" });
  const read: AtifPart[] = [{ is: "trajectory", event }];
  if (isJsonObject(stated)) {
    const totals = () => ({ type: "atif.stated_totals", ...stated });
    read.push({ is: "totals", stated, within: atif.totalsWithin(record), event: totals });
  }
  if (typeof title === "string") read.push({ is: "title", titles: { chosen: title || undefined } });
  return {
    parts: read,
    instant: undefined,
    isMessage: false,
    version: atif.versionOf(record),
    source: undefined,
    isCopied: false,
    trajectoryId: textField(record, "trajectory_id") ?? textField(record, "session_id"),
    agentModel: textField(about, "model_name"),
    directory: typeof directory === "string" && directory !== "" ? directory : undefined,
    spawned: [],
    totals: [],
    call: undefined,
    sessionStart: () => ({ ...named, agent: about.name, agentVersion: about.version, directory }),
    passed: () => event(),
    rest: () => ({ ...rest, ...oddIn(atif.STEPS, steps), ...oddIn(atif.SUBAGENTS, agents) }),
    text: () => "",
  };
}

/** Invalid elements are displayed separately. */
function oddIn(name: string, value: unknown): JsonObject {
  const odd = Array.isArray(value) ? value.filter((one) => !isJsonObject(one)) : value;
  return odd === undefined || (Array.isArray(odd) && odd.length === 0) ? {} : { [name]: odd };
}

function readStep(step: JsonObject): AtifRecord {
  const { source, message } = step;
  const isCopied = atif.isCopied(step);
  const isReported = isCopied || (source === "system" && atif.isCompaction(step));
  const matched = callsOfStep(step);
  const recorded = parts.recordedAt(step.timestamp);
  const isNamedSource = source === "user" || source === "agent" || source === "system";
  const facts = {
    usage: atif.usageOf(step),
    hasOddCount: atif.hasOddUsage(step),
    recordedUsd: atif.costOf(step),
  };
  return {
    parts: [
      ...(isNamedSource ? spokenParts(step, isCopied) : []),
      ...(isNamedSource && !isReported ? toolParts(step, matched) : []),
      ...(source === "agent" && !isCopied ? atif.callErrors(step).map(errorPart) : []),
      ...(recorded.instant === undefined ? [UNTIMED] : []),
    ],
    ...recorded,
    isMessage: true,
    ...(isNamedSource ? {} : { unknownType: `step of ${labelOf(source) ?? "no source"}` }),
    source: isNamedSource ? source : "other",
    isCopied,
    spawned: matched.calls.flatMap(({ toolCallId, results }) =>
      atif.referencesIn(results).flatMap((one) => {
        const agentId = atif.agentIdOf(one);
        return agentId === undefined ? [] : [{ agentId, toolCallId }];
      }),
    ),
    totals: atif.totalsOf(step),
    call: atif.isModelCall(step)
      ? { messageId: undefined, model: textField(step, "model_name"), ...facts }
      : undefined,
    sessionStart: () => ({}),
    callEnd() {
      const { model_name: model, reasoning_effort: reasoningEffort, llm_call_count: llmCallCount } = step;
      return { model: model ?? undefined, reasoningEffort, llmCallCount, costUSD: facts.recordedUsd };
    },
    passed: () => ({ type: `atif.${labelOf(source) ?? "step"}` }),
    rest() {
      const { message: _, reasoning_content: __, ...rest } = step;
      if (isReported || !isNamedSource || !atif.isRegular(step)) return rest;
      const { tool_calls: ___, observation: ____, ...others } = rest;
      return others;
    },
    text: () => (source === "agent" ? atif.textOf(message) : ""),
  };
}

const UNTIMED: AtifPart = {
  is: "untimed",
  block: 2_000_000,
  event: () => ({ type: "atif.no_timestamps" }),
};

function spokenParts(step: JsonObject, isCopied: boolean): readonly AtifPart[] {
  const { source, message } = step;
  const isShort = message === undefined || message === null || message === "";
  if (source === "user" && !isCopied) return [parts.promptPart(atif.textOf(message), () => message)];
  if (source === "system" && !isCopied && atif.isCompaction(step)) {
    const results = resultsOfStep(step)
      .map(({ content }) => atif.textOf(content))
      .filter(Boolean);
    const summary = results.join("\n") || atif.textOf(message);
    return [{ is: "compaction", event: () => ({ type: "compaction.end", summary, message }) }];
  }
  if (source === "system" && !isCopied && atif.isError(step))
    return [errorPart(objectField(step, "extra").error ?? atif.textOf(message))];
  const role = source === "agent" ? "assistant" : source;
  const copied = isCopied ? { copied: true } : {};
  const thinking = textField(step, "reasoning_content");
  const thought = thinking === undefined ? [] : [blockPart(0, { type: "thinking", thinking, ...copied })];
  const blocks = isShort ? [] : Array.isArray(message) ? message : [message];
  return [
    ...thought,
    ...blocks.map((one, i) => {
      const text = typeof one === "string" ? one : isJsonObject(one) ? textField(one, "text") : undefined;
      if (text !== undefined) return blockPart(i + 1, { type: "text", role, text, ...copied });
      return blockPart(i + 1, { type: `atif.${kindOf(one)}`, role, value: one, ...copied });
    }),
  ];
}

/** A further attempt may follow: no step excludes it. */
function errorPart(error: unknown): AtifPart {
  return { is: "error", isLast: false, event: () => ({ type: "error", error }) };
}

function kindOf(part: unknown): string {
  return (isJsonObject(part) && textField(part, "type")) || "part";
}

function blockPart(block: number, event: JsonObject): AtifPart {
  return { is: "block", block, event: () => event };
}

function toolParts(step: JsonObject, { calls, loose }: ReturnType<typeof callsOfStep>): readonly AtifPart[] {
  return [
    ...calls.map((one, at) => callPart(one, at)),
    ...calls.flatMap((one, at) =>
      one.results.length === 0 ? [] : [resultPart(one, at, atif.outcomeOf(one, step))],
    ),
    ...loose.map(({ content, ...rest }, at) => {
      const text = atif.textOf(content);
      return blockPart(LOOSE + at, { type: "text", role: "observation", text, content, ...rest });
    }),
  ];
}

/** Offset of results without a call: there are fewer blocks before them. */
const LOOSE = 1_000_000;

function callPart({ call, toolCallId, results }: StepCall, block: number): AtifPart {
  const toolName = textField(call, "function_name") ?? "unknown";
  return {
    is: "call",
    block,
    toolCallId,
    toolName,
    event() {
      const { tool_call_id: _, function_name: __, arguments: input, ...rest } = call;
      return { ...rest, type: "tool.start", toolCallId, toolName, input };
    },
    spawn() {
      const [first] = atif.referencesIn(results);
      return first && { role: toolName, description: atif.purposeOf(first), prompt: undefined };
    },
  };
}

function resultPart(
  { call, toolCallId, results }: StepCall,
  block: number,
  outcome: parts.ToolOutcome,
): AtifPart {
  const contents = results.map(({ content }) => content);
  const output = contents.length === 1 ? contents[0] : contents;
  const [first] = atif.referencesIn(results);
  return {
    is: "result",
    block,
    toolCallId,
    event() {
      const { source_call_id: _, content: __, ...rest } = results[0]!;
      const toolName = textField(call, "function_name");
      return { ...rest, type: "tool.end", toolCallId, toolName, output, ...parts.failureOf(outcome) };
    },
    end: () => ({ outcome, agentId: first && atif.agentIdOf(first), isLaunch: false }),
    result: () => ({ text: contents.map((one) => atif.textOf(one) || (jsonTextOf(one) ?? "")).join("\n") }),
  };
}
