import { type JsonObject, labelField, objectField, textField } from "../../../domain/json/json.js";
import { type EventFacts, errorText, toolInput } from "../../../domain/spans/event-facts.js";
import { type Span, spanUsage } from "../../../domain/spans/span.js";
import { contextTokens } from "../../../domain/usage/token-counts.js";
import { OWN_ATTRIBUTES } from "../../spans/own-attributes.js";
import { type Attributes, plainAttribute } from "./otlp-values.js";
import { failureOf, isUnfinished, type PlannedKind, type PlannedSpan } from "./planned-spans.js";
import { otherMembers } from "./span-members.js";

interface DescribedSpan {
  readonly name: string;
  readonly attributes: Attributes;
  readonly status: JsonObject;
}

/** Semantic conventions for generative AI: https://github.com/open-telemetry/semantic-conventions-genai/tree/main/docs/gen-ai */
export function describeSpan(
  planned: PlannedSpan,
  agentName: string,
  eventOf: (facts: EventFacts) => JsonObject,
): DescribedSpan {
  const { kind, span } = planned;
  const turn = kind === "agent" ? planned.turn : span;
  const jobEnd = planned.job?.end;
  const described: ReportedSpan = {
    planned,
    turn,
    agentName: kind === "agent" ? span!.name || span!.agentId : agentName,
    started: turn === undefined ? {} : eventOf(turn.start),
    ended: turn?.end === undefined ? {} : eventOf(turn.end),
    output: jobEnd && jobOutput(eventOf(jobEnd)),
    texts: [],
  };
  const { name, attributes } = DESCRIBE[kind](described);
  const { status, errorType } = statusOf(described);
  return {
    name,
    attributes: {
      ...attributes,
      "error.type": errorType ?? attributes["error.type"],
      ...ownAttributes(described),
    },
    status,
  };
}

interface ReportedSpan {
  readonly planned: PlannedSpan;
  readonly turn: Span | undefined;
  readonly agentName: string;
  readonly started: JsonObject;
  readonly ended: JsonObject;
  /** Result of a sub-agent's job. */
  readonly output: unknown;
  /** Names of text attributes that look like JSON. */
  readonly texts: string[];
}

const DESCRIBE: Readonly<
  Record<PlannedKind, (described: ReportedSpan) => { readonly name: string; readonly attributes: Attributes }>
> = {
  turn: describeAgent,
  agent: describeAgent,
  model({ planned, ended }) {
    const span = planned.span!;
    const model = span.name || undefined;
    const attributes = {
      ...eventAttributes(ended),
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": span.end?.provider ?? span.start.provider,
      "gen_ai.request.model": model,
      "gen_ai.response.model": model,
      "gen_ai.response.id": span.end?.messageId ?? span.start.messageId,
      "gen_ai.response.finish_reasons": stopReasons(ended),
      ...usageAttributes(span),
    };
    return { name: `chat ${span.name}`.trim(), attributes };
  },
  tool(described) {
    const { planned, started, ended } = described;
    const span = planned.span!;
    const attributes = {
      ...eventAttributes(ended),
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": span.name || "unknown",
      "gen_ai.tool.call.id": span.start.key,
      ...valueNamed(described, "gen_ai.tool.call.arguments", toolInput(started) ?? toolInput(ended)),
      ...valueNamed(described, "gen_ai.tool.call.result", ended.output ?? ended.result),
    };
    return { name: `execute_tool ${span.name}`.trim(), attributes };
  },
  compaction({ planned, started, ended }) {
    const { start, end } = planned.span!;
    const attributes = {
      ...eventAttributes(ended),
      "gen_ai.conversation.compacted": true,
      "compaction.tokens_before": end?.tokensBefore ?? start.tokensBefore,
      "compaction.tokens_after": end?.tokensAfter ?? start.tokensAfter,
    };
    return { name: labelField(started, "trigger") ?? "compaction", attributes };
  },
  step: ({ planned, started }) => ({
    name: planned.span?.name || "span",
    attributes: eventAttributes(started),
  }),
};

function describeAgent(described: ReportedSpan) {
  const { agentName, started, ended, output } = described;
  const attributes = {
    ...eventAttributes(ended),
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": agentName,
    ...valueNamed(described, "input.value", started.input ?? ended.input),
    ...valueNamed(described, "output.value", output ?? ended.output),
  };
  return { name: `invoke_agent ${agentName}`, attributes };
}

function valueNamed({ texts }: ReportedSpan, name: string, value: unknown): Attributes {
  return { [name]: plainAttribute(value, () => texts.push(name)) };
}

function ownAttributes({ planned, started, ended, texts }: ReportedSpan): Attributes {
  const { kind, span } = planned;
  const isStep = kind === "step";
  return {
    [OWN_ATTRIBUTES.start]: isStep
      ? undefined
      : otherMembers(kind, "start", span === undefined ? UNASKED : started),
    [OWN_ATTRIBUTES.end]: isStep ? undefined : otherMembers(kind, "end", ended),
    [OWN_ATTRIBUTES.kind]: isStep ? "step" : undefined,
    [OWN_ATTRIBUTES.unfinished]: isUnfinished(planned) ? true : undefined,
    [OWN_ATTRIBUTES.texts]: texts.length === 0 ? undefined : texts,
  };
}

/** Steps outside of all turns are in a turn that no person requested. */
const UNASKED = { asked: false };

/** Attributes of an imported session. */
function eventAttributes(event: JsonObject): Attributes {
  const { droppedAttributes: _, ...described } = objectField(event, "attributes");
  return described;
}

function stopReasons(ended: JsonObject): readonly string[] | undefined {
  const reason = labelField(ended, "stopReason");
  return reason === undefined ? undefined : [reason];
}

/** Input tokens include cache reads and writes. */
function usageAttributes(span: Span): Attributes {
  const usage = spanUsage(span);
  const cost = { "gen_ai.usage.cost": span.end?.recordedUsd ?? span.start.recordedUsd };
  if (usage === undefined) return cost;
  const { cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens } = usage;
  return {
    "gen_ai.usage.input_tokens": contextTokens(usage),
    "gen_ai.usage.output_tokens": usage.outputTokens,
    ...(cacheReadTokens === 0 ? {} : { "gen_ai.usage.cache_read.input_tokens": cacheReadTokens }),
    ...(cacheWriteTokens === 0 ? {} : { "gen_ai.usage.cache_creation.input_tokens": cacheWriteTokens }),
    [OWN_ATTRIBUTES.cacheWrite1h]: cacheWrite1hTokens,
    ...cost,
  };
}

function jobOutput(event: JsonObject): unknown {
  const job = objectField(event, "job");
  return textField(job, "outputText") ?? job.output;
}

/** @returns no `errorType` without a failure */
function statusOf({ planned, turn, ended }: ReportedSpan): {
  readonly status: JsonObject;
  readonly errorType?: string;
} {
  if (ended.outcome === "cancelled") {
    const message = labelField(ended, "cancelReason") ?? "cancelled";
    return { status: { code: ERROR, message }, errorType: "CancelledError" };
  }
  const isStep = planned.kind === "step";
  const failure = failureOf(planned) ?? (isStep ? textField(ended, "failure") : undefined);
  if (failure === undefined) return { status: {} };
  // A tool's result already contains its error.
  const isRootOfTurn = turn !== undefined && planned.kind !== "tool" && turn.kind !== "group";
  const message = (isRootOfTurn && errorText(turn.kind, ended)) || failure;
  return {
    status: { code: ERROR, message },
    errorType: labelField(objectField(ended, "error"), "type") ?? "_OTHER",
  };
}

const ERROR = 2;
