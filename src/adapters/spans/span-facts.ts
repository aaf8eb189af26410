import { type JsonObject, labelField } from "../../domain/json/json.js";
import type { RunSpanFacts, RunSpanResult } from "../../recording/run-span.js";
import { FACTS, type Fact } from "./fact-spellings.js";
import type { DialectKind } from "./kind-spellings.js";
import { addsMessages, isOwn, membersIn, OWN_ATTRIBUTES } from "./own-attributes.js";
import type { RecordedSpan } from "./recorded-span.js";
import { type SpanMeaning, spanMeaning } from "./span-meaning.js";
import { isMessageAttribute } from "./span-messages.js";

export function factsOf(span: RecordedSpan): RunSpanFacts {
  return factsIn(span, spanMeaning(span));
}

export function resultOf(span: RecordedSpan): RunSpanResult {
  const meaning = spanMeaning(span);
  const { kind, output, messages, usage, stopReason, error, tokensBefore, tokensAfter, evaluations } =
    meaning;
  const answer = messages?.output;
  return {
    ...factsIn(span, meaning),
    output,
    answer,
    usage,
    stopReason,
    error,
    tokensBefore,
    tokensAfter,
    evaluations,
    endMembers: membersIn(span.attributes, OWN_ATTRIBUTES.end),
    otherAttributes: otherAttributes(span, kind),
  };
}

function factsIn({ attributes }: RecordedSpan, meaning: SpanMeaning): RunSpanFacts {
  const { kind, name, model, provider, toolCallId, input, messages, tenantId, sessionId, userId } = meaning;
  const { operation, query, isCompacted } = meaning;
  const provided = messages === undefined || messages.input.length === 0 ? undefined : messages.input;
  const title = labelField(attributes, OWN_ATTRIBUTES.title);
  return {
    kind,
    name,
    model,
    provider,
    toolCallId,
    input,
    messages: provided,
    addsMessages: addsMessages(attributes) ? true : undefined,
    isCompacted,
    operation,
    query,
    attributes,
    startMembers: membersIn(attributes, OWN_ATTRIBUTES.start),
    title,
    tenantId,
    sessionId,
    userId,
  };
}

const MOST_CHARACTERS = 32 * 1024;

const EXCHANGED = {
  tool: namesOf("toolInput", "toolOutput"),
  agent: namesOf("prompt", "answer"),
  turn: namesOf("prompt", "answer"),
  compaction: namesOf("tokensBefore", "tokensAfter"),
};

function namesOf(...facts: readonly Fact[]): ReadonlySet<string> {
  const rows = facts.flatMap((fact) => FACTS[fact]);
  return new Set(rows.flatMap(([name, , member]) => (member === undefined ? [name] : [])));
}

/** Attributes without messages; none for a step, which is recorded with all. `droppedAttributes` names those above the limit. */
export function otherAttributes({ attributes }: RecordedSpan, kind: DialectKind): JsonObject | undefined {
  if (kind === "other") return undefined;
  const isExchanged = kind === "model" ? isMessageAttribute : (name: string) => EXCHANGED[kind].has(name);
  const remaining: [string, unknown][] = [];
  const droppedAttributes: string[] = [];
  let characters = 0;
  for (const [name, value] of Object.entries(attributes)) {
    if (isExchanged(name) || isOwn(name)) continue;
    const length = name.length + lengthOf(value);
    if (characters + length > MOST_CHARACTERS) droppedAttributes.push(name);
    else {
      characters += length;
      remaining.push([name, value]);
    }
  }
  if (remaining.length === 0 && droppedAttributes.length === 0) return undefined;
  return Object.fromEntries(
    droppedAttributes.length === 0 ? remaining : [...remaining, ["droppedAttributes", droppedAttributes]],
  );
}

function lengthOf(value: unknown): number {
  if (typeof value === "string" && PLAIN.test(value)) return value.length + 2;
  return JSON.stringify(value)?.length ?? 0;
}

const PLAIN = /^[ !#-[\]-~]*$/;
