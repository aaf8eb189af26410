import { resultPart } from "../../../domain/conversation/content-parts.js";
import { isJsonObject, type JsonObject, labelField, present, textField } from "../../../domain/json/json.js";
import { UniqueNames, withSign } from "../../../domain/lists/unique-names.js";
import { type EventFacts, errorText, toolInput } from "../../../domain/spans/event-facts.js";
import { type Span, spanError, spanUsage } from "../../../domain/spans/span.js";
import { formatInstant } from "../../../domain/trace/instant.js";
import { contextTokens } from "../../../domain/usage/token-counts.js";
import type { PlannedTrajectory, TrajectoryPlan } from "./trajectory-plan.js";

export interface StepSource extends Pick<TrajectoryPlan, "startedBy"> {
  eventOf(facts: EventFacts): JsonObject;
  /** US dollars; `undefined` without a price. */
  costOf(call: Span): number | undefined;
  idOf(trajectory: PlannedTrajectory): string;
}

/** Without a number; `undefined` for a step without content. */
export function trajectoryStep(span: Span, source: StepSource): JsonObject | undefined {
  const timestamp = formatInstant(span.start.at);
  const event = source.eventOf(span.start);
  switch (span.kind) {
    case "turn":
      return turnStep(span, event, timestamp);
    case "llm":
      return { timestamp, source: "agent", ...answerOf(span, event, source) };
    case "tool":
      return { timestamp, source: "agent", message: "", llm_call_count: 0, ...callsOf([span], source) };
    case "text":
      return textStep(event, timestamp);
    case "compaction":
      return { timestamp, source: "system", ...compactionOf(span, event, source) };
    case "error": {
      const { type: _, record: __, stored: ___, ...extra } = event;
      return {
        timestamp,
        source: "system",
        message: errorText("error", event) || "error",
        extra: { ...extra, is_error: true },
      };
    }
    default:
      return {
        timestamp,
        source: "system",
        message: textOf(event.prompt ?? event.question),
        extra: { waiting: true },
      };
  }
}

function turnStep(span: Span, event: JsonObject, timestamp: string): JsonObject | undefined {
  const message = contentOf(event.input);
  // A message that no person wrote comes from the harness.
  if (span.start.isUnasked) return message === "" ? undefined : { timestamp, source: "system", message };
  const error = spanError(span);
  return { timestamp, source: "user", message, ...(error === undefined ? {} : { extra: { error } }) };
}

function textStep(event: JsonObject, timestamp: string): JsonObject {
  const role = textField(event, "role") ?? "assistant";
  const message = contentOf(event.text ?? event.thinking ?? event.content);
  if (role === "assistant" || role === "model")
    return { timestamp, source: "agent", message, llm_call_count: 0 };
  return { timestamp, source: "system", message, extra: { role } };
}

function answerOf(span: Span, started: JsonObject, source: StepSource): JsonObject {
  const { end } = span;
  const ended = end === undefined ? {} : source.eventOf(end);
  const spoken = span.children
    .filter(({ kind }) => kind === "text")
    .map(({ start }) => source.eventOf(start));
  const thoughts = spoken.filter(({ type }) => type === "thinking");
  const texts = spoken.filter(({ type }) => type !== "thinking");
  const reasoning = thoughts.map((one) => textField(one, "thinking") ?? textField(one, "text") ?? "");
  const usage = spanUsage(span);
  const metrics = present({
    ...(usage === undefined
      ? {}
      : {
          prompt_tokens: contextTokens(usage),
          completion_tokens: usage.outputTokens,
          cached_tokens: usage.cacheReadTokens,
        }),
    cost_usd: source.costOf(span),
    extra: usage?.cacheWriteTokens ? { cache_creation_input_tokens: usage.cacheWriteTokens } : undefined,
  });
  const extra = present({
    error: spanError(span),
    stop_reason: labelField(ended, "stopReason"),
    provider: end?.provider ?? span.start.provider,
    ended_at: span.end === undefined ? undefined : formatInstant(span.endAt),
  });
  return {
    message: texts.map(({ text, content }) => textOf(text ?? content)).join("\n") || textOf(answerIn(ended)),
    ...present({
      model_name: span.name || undefined,
      reasoning_effort: labelField(ended, "reasoningEffort") ?? labelField(started, "reasoningEffort"),
      reasoning_content: reasoning.join("\n") || undefined,
    }),
    ...callsOf(span.calls ?? [], source),
    ...(Object.keys(metrics).length === 0 ? {} : { metrics }),
    llm_call_count: 1,
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

/** Some recorders write the answer at the end of a call. */
function answerIn({ output }: JsonObject): unknown {
  return isJsonObject(output) ? (output.content ?? output.text) : output;
}

/** Results name calls of the same step, so duplicate ids become unique. */
function callsOf(spans: readonly Span[], source: StepSource): JsonObject {
  if (spans.length === 0) return {};
  const ids = new UniqueNames();
  const results: JsonObject[] = [];
  const calls = spans.map((span) => {
    const key = span.start.key ?? span.id;
    const id = ids.take(key, withSign(key, "'"));
    const event = source.eventOf(span.start);
    const ended = span.end === undefined ? undefined : source.eventOf(span.end);
    const input = toolInput(event) ?? (ended && toolInput(ended));
    const started = source.startedBy.get(span) ?? [];
    const failure = present({
      is_error: spanError(span) === undefined ? undefined : true,
      refused: ended?.refused === true ? true : undefined,
      ended_at: ended === undefined ? undefined : formatInstant(span.endAt),
    });
    if (ended !== undefined || started.length > 0) {
      results.push({
        source_call_id: id,
        content: ended === undefined ? null : contentOf(ended.output ?? ended.result ?? ended.error),
        ...(started.length === 0
          ? {}
          : { subagent_trajectory_ref: started.map((one) => referenceTo(one, source)) }),
        ...(Object.keys(failure).length === 0 ? {} : { extra: failure }),
      });
    }
    return {
      tool_call_id: id,
      function_name: span.name || "unknown",
      arguments: isJsonObject(input) ? input : input === undefined || input === null ? {} : { input },
    };
  });
  return { tool_calls: calls, ...(results.length === 0 ? {} : { observation: { results } }) };
}

function referenceTo(trajectory: PlannedTrajectory, source: StepSource): JsonObject {
  const summary = trajectory.agent?.name || undefined;
  return {
    trajectory_id: source.idOf(trajectory),
    ...(summary === undefined ? {} : { extra: { summary } }),
  };
}

function compactionOf({ start, end }: Span, event: JsonObject, source: StepSource): JsonObject {
  const ended = end === undefined ? {} : source.eventOf(end);
  const merged = { ...event, ...ended };
  return {
    message: textOf(merged.summary),
    extra: {
      context_management: {
        type: "compaction",
        ...present({
          trigger: labelField(merged, "trigger"),
          tokens_before: end?.tokensBefore ?? start.tokensBefore,
          tokens_after: end?.tokensAfter ?? start.tokensAfter,
        }),
      },
    },
  };
}

/** Image types of the format. */
const IMAGES = /^data:(image\/(?:jpeg|png|gif|webp))[;,]/;

/** Parts only if there are images that the format supports. */
function contentOf(value: unknown): string | readonly JsonObject[] {
  const message = isJsonObject(value) && value.content !== undefined ? value.content : value;
  const part = resultPart("", message, {});
  if (part.type !== "result") return "";
  const images = part.images.flatMap((path) => {
    const mediaType = IMAGES.exec(path)?.[1];
    return mediaType === undefined ? [] : [{ type: "image", source: { media_type: mediaType, path } }];
  });
  if (images.length === 0) return part.text;
  return [...(part.text === "" ? [] : [{ type: "text", text: part.text }]), ...images];
}

function textOf(value: unknown): string {
  const part = resultPart("", value, {});
  return part.type === "result" ? part.text : "";
}
