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

/** Records of one list of one session, to be searched for a text. Plain data, for a thread. */
export interface SearchBatch extends PlainBatch {
  readonly query: SearchQuery;
  readonly kinds: readonly ContentKind[];
  readonly records: "envelopes" | "messages";
  /** The place of the first record in its list. */
  readonly at: number;
  /** Number of hits of the first record to skip, because an earlier answer had them. */
  readonly skip: number;
  /** True if the position of an envelope is its `sequence`, instead of its stored position. */
  readonly isNumbered: boolean;
  /** Maximum number of hits; at least 1. */
  readonly most: number;
  /** Work limit in milliseconds; the batch then ends after a record. */
  readonly budgetMs: number;
}

export interface FoundInBatch {
  readonly hits: readonly BatchHit[];
  /** Number of records that failed unexpectedly, and the reason of the first failure. */
  readonly faults: { readonly records: number; readonly first: string };
  /** Position in the batch to continue at; `undefined` if all of it was searched. */
  readonly next: { readonly at: number; readonly skip: number } | undefined;
}

/** The matches of one kind in one record. */
interface BatchHit extends RecordFacts {
  /** The place of the record in its list. */
  readonly at: number;
  readonly in: ContentKind;
  /** Number of matches of this kind in the record. */
  readonly matches: number;
  /** The first of them. */
  readonly snippet: Snippet;
}

/** Facts that a matching record states about itself. */
interface RecordFacts {
  readonly sequence?: number;
  readonly timestamp?: string;
  readonly type?: string;
  readonly agentId?: string;
  readonly toolName?: string;
  readonly role?: string;
}

/** Looks for a text. */
export const SEARCH_BATCH = {
  module: ownModule(import.meta.url, "search-batch"),
  name: "searchBatch",
  steps: searchBatch,
};

export function searchBatch(batch: SearchBatch): Generator<void, FoundInBatch> {
  return searchBatchFor(textFinder(batch.query), batch);
}

const decoder = new TextDecoder();

export function* searchBatchFor(find: FindMatches, batch: SearchBatch): Generator<void, FoundInBatch> {
  const hits: BatchHit[] = [];
  const faults = { records: 0, first: "" };
  const work = new CountedWork();
  for (let i = 0; i < batch.ends.length; i++) {
    const at = batch.at + i;
    const isOver = hits.length === batch.most || (i > 0 && work.ms >= batch.budgetMs);
    if (isOver) return { hits, faults, next: { at, skip: 0 } };
    const record: unknown = JSON.parse(decoder.decode(batch.text.subarray(batch.starts[i], batch.ends[i])));
    let found: readonly BatchHit[] = [];
    try {
      const mostMs = batch.query.kind === "pattern" ? PATTERN_MS : Number.POSITIVE_INFINITY;
      found = yield* work.of(hitsOf(find, batch, record, at), mostMs);
    } catch (error) {
      if (faults.records++ === 0) faults.first = faultText(error);
    }
    const skip = i === 0 ? batch.skip : 0;
    const room = batch.most - hits.length;
    hits.push(...found.slice(skip, skip + room));
    if (found.length > skip + room) return { hits, faults, next: { at, skip: skip + room } };
    yield;
  }
  return { hits, faults, next: undefined };
}

/** Time limit for a regular expression in one record, in milliseconds. */
const PATTERN_MS = 2_000;

/** The time that steps have taken, without that of others between two of them. */
class CountedWork {
  /** Of all together, in milliseconds. */
  ms = 0;

  /**
   * @param mostMs how long these steps may take
   * @throws SlowPatternError where they take longer
   */
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

/** One hit for each kind that holds a match, in the order of the kinds. */
function* hitsOf(
  find: FindMatches,
  { records, kinds, isNumbered }: SearchBatch,
  record: unknown,
  at: number,
): Generator<void, BatchHit[]> {
  const found = new Map<ContentKind, Pick<BatchHit, "matches" | "snippet">>();
  for (const { kind, text } of textsOf(records, record)) {
    if (!kinds.includes(kind)) continue;
    const { count, first } = yield* find(text);
    if (first === undefined) continue;
    const before = found.get(kind);
    const snippet = before?.snippet ?? snippetOf(text, first);
    found.set(kind, { matches: (before?.matches ?? 0) + count, snippet });
  }
  if (found.size === 0) return [];
  const facts =
    records === "messages" ? messageFacts(record) : envelopeFacts(record, isNumbered ? at : undefined);
  return CONTENT_KINDS.flatMap((kind) => {
    const matches = found.get(kind);
    return matches === undefined ? [] : [{ at, in: kind, ...facts, ...matches }];
  });
}

function textsOf(records: SearchBatch["records"], record: unknown): Generator<ContentText> {
  return records === "messages" ? textsOfMessage(record) : textsOfEnvelope(record);
}

function messageFacts(message: unknown): RecordFacts {
  return isJsonObject(message) ? known({ role: textField(message, "role") }) : {};
}

function envelopeFacts(record: unknown, number: number | undefined): RecordFacts {
  const envelope: JsonObject = isJsonObject(record) ? record : {};
  const event = objectField(envelope, "event");
  const type = textField(event, "type");
  const isTool = type !== undefined && classifyEvent(type).kind === "tool";
  return known({
    sequence: number ?? (typeof envelope.sequence === "number" ? envelope.sequence : undefined),
    timestamp: textField(envelope, "timestamp"),
    type,
    agentId: agentOf(event),
    toolName: textField(event, "toolName") ?? (isTool ? textField(event, "name") : undefined),
  });
}

/** The agent that an event names, at its top or in its part. */
function agentOf(event: JsonObject): string | undefined {
  const parts = ["job", "input", "wait", "close"].map((part) =>
    textField(objectField(event, part), "agentId"),
  );
  return [textField(event, "agentId"), textField(objectField(event, "agent"), "id"), ...parts].find(Boolean);
}

/** Maximum code units of a fact. A longer text is not a name, and many hits with it would be large. */
const MOST_OF_FACT = 1_000;

/** The facts without those that are unknown. */
function known(facts: { readonly [Fact in keyof RecordFacts]: RecordFacts[Fact] | undefined }): RecordFacts {
  const isKnown = ([, fact]: [string, string | number | undefined]) =>
    typeof fact === "string" ? fact.length <= MOST_OF_FACT : fact !== undefined;
  return Object.fromEntries(Object.entries(facts).filter(isKnown));
}
