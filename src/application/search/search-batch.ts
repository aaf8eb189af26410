import { classifyEvent } from "../../domain/dialects/event-kinds.js";
import { isJsonObject, type JsonObject, objectField, textField } from "../../domain/json/json.js";
import type { PlainBatch } from "../../domain/json/record-batch.js";
import { type ContentText, textsOfEnvelope, textsOfMessage } from "../../domain/search/content-texts.js";
import { type Snippet, snippetOf } from "../../domain/search/search-hit.js";
import { CONTENT_KINDS, type ContentKind, type SearchQuery } from "../../domain/search/search-query.js";
import { type FindMatches, textFinder } from "../../domain/search/text-matches.js";
import { faultText } from "../errors.js";
import { ownModule } from "../ports/reading-pool.js";
import { SlowPatternError } from "./slow-pattern.js";

export interface SearchBatch extends PlainBatch {
  readonly query: SearchQuery;
  readonly kinds: readonly ContentKind[];
  readonly records: "envelopes" | "messages";
  readonly at: number;
  readonly skip: number;
  readonly isNumbered: boolean;
  readonly most: number;
  /** In milliseconds; the batch then ends after a record. */
  readonly budgetMs: number;
}

export interface BatchResult {
  readonly hits: readonly BatchHit[];
  readonly faults: { readonly records: number; readonly first: string };
  readonly next: { readonly at: number; readonly skip: number } | undefined;
}

interface BatchHit extends RecordFacts {
  readonly at: number;
  readonly in: ContentKind;
  readonly matches: number;
  readonly snippet: Snippet;
}

interface RecordFacts {
  readonly sequence?: number;
  readonly timestamp?: string;
  readonly type?: string;
  readonly agentId?: string;
  readonly toolName?: string;
  readonly role?: string;
}

export const SEARCH_BATCH = {
  module: ownModule(import.meta.url, "search-batch"),
  name: "searchBatch",
  steps: searchBatch,
};

export function searchBatch(batch: SearchBatch): Generator<void, BatchResult> {
  return searchBatchFor(textFinder(batch.query), batch);
}

const decoder = new TextDecoder();

export function* searchBatchFor(find: FindMatches, batch: SearchBatch): Generator<void, BatchResult> {
  const hits: BatchHit[] = [];
  const faults = { records: 0, first: "" };
  const work = new CountedWork();
  for (let i = 0; i < batch.ends.length; i++) {
    const at = batch.at + i;
    const isOver = hits.length === batch.most || (i > 0 && work.ms >= batch.budgetMs);
    if (isOver) return { hits, faults, next: { at, skip: 0 } };
    const record: unknown = JSON.parse(decoder.decode(batch.text.subarray(batch.starts[i], batch.ends[i])));
    let results: readonly BatchHit[] = [];
    try {
      const mostMs = batch.query.kind === "pattern" ? PATTERN_MS : Number.POSITIVE_INFINITY;
      results = yield* work.of(hitsOf(find, batch, record, at), mostMs);
    } catch (error) {
      if (faults.records++ === 0) faults.first = faultText(error);
    }
    const skip = i === 0 ? batch.skip : 0;
    const room = batch.most - hits.length;
    hits.push(...results.slice(skip, skip + room));
    if (results.length > skip + room) return { hits, faults, next: { at, skip: skip + room } };
    yield;
  }
  return { hits, faults, next: undefined };
}

const PATTERN_MS = 2_000;

class CountedWork {
  ms = 0;

  /** @throws SlowPatternError after `mostMs` */
  *of<T>(steps: Generator<void, T>, mostMs: number): Generator<void, T> {
    const before = this.ms;
    for (;;) {
      const begun = performance.now();
      const step = steps.next();
      this.ms += performance.now() - begun;
      if (step.done === true) return step.value;
      if (this.ms - before > mostMs) throw new SlowPatternError();
      yield;
    }
  }
}

function* hitsOf(
  find: FindMatches,
  { records, kinds, isNumbered }: SearchBatch,
  record: unknown,
  at: number,
): Generator<void, BatchHit[]> {
  const results = new Map<ContentKind, Pick<BatchHit, "matches" | "snippet">>();
  for (const { kind, text } of textsOf(records, record)) {
    if (!kinds.includes(kind)) continue;
    const { count, first } = yield* find(text);
    if (first === undefined) continue;
    const before = results.get(kind);
    const snippet = before?.snippet ?? snippetOf(text, first);
    results.set(kind, { matches: (before?.matches ?? 0) + count, snippet });
  }
  if (results.size === 0) return [];
  const facts =
    records === "messages" ? messageFacts(record) : envelopeFacts(record, isNumbered ? at : undefined);
  return CONTENT_KINDS.flatMap((kind) => {
    const matches = results.get(kind);
    return matches === undefined ? [] : [{ at, in: kind, ...facts, ...matches }];
  });
}

function textsOf(records: SearchBatch["records"], record: unknown): Generator<ContentText> {
  return records === "messages" ? textsOfMessage(record) : textsOfEnvelope(record);
}

function messageFacts(message: unknown): RecordFacts {
  return isJsonObject(message) ? presentFacts({ role: textField(message, "role") }) : {};
}

function envelopeFacts(record: unknown, number: number | undefined): RecordFacts {
  const envelope: JsonObject = isJsonObject(record) ? record : {};
  const event = objectField(envelope, "event");
  const type = textField(event, "type");
  const isTool = type !== undefined && classifyEvent(type).kind === "tool";
  return presentFacts({
    sequence: number ?? (typeof envelope.sequence === "number" ? envelope.sequence : undefined),
    timestamp: textField(envelope, "timestamp"),
    type,
    agentId: agentOf(event),
    toolName: textField(event, "toolName") ?? (isTool ? textField(event, "name") : undefined),
  });
}

function agentOf(event: JsonObject): string | undefined {
  const parts = ["job", "input", "wait", "close"].map((part) =>
    textField(objectField(event, part), "agentId"),
  );
  return [textField(event, "agentId"), textField(objectField(event, "agent"), "id"), ...parts].find(Boolean);
}

/** In code units. A longer text is no name, and would make many hits large. */
const MOST_OF_FACT = 1_000;

function presentFacts(
  facts: { readonly [Fact in keyof RecordFacts]: RecordFacts[Fact] | undefined },
): RecordFacts {
  const isPresent = ([, fact]: [string, string | number | undefined]) =>
    typeof fact === "string" ? fact.length <= MOST_OF_FACT : fact !== undefined;
  return Object.fromEntries(Object.entries(facts).filter(isPresent));
}
