import type { ConversationOutline } from "../../domain/conversation/conversation-outline.js";
import type { ReadOptions, RecordSelection, RecordStream, RecordWarning } from "../ports/record-stream.js";
import type { ListGrowth } from "./list-growth.js";

/** A list as it is sent: JSON text in pieces, each the inside of an array. */
export interface JsonList {
  readonly isUnchanged: false;
  /** The source's revision, or a fingerprint of the list itself; `undefined` where there is neither. */
  readonly revision: string | undefined;
  readonly texts: AsyncIterable<Uint8Array>;
  /** For messages: the index of the first one. */
  readonly from?: number | undefined;
  /** For messages with an outline: the model calls and removals in the window. */
  readonly outline?: ConversationOutline;
  /** For a list with a limit: the start of the next window, or `null` at the end. */
  readonly nextCursor?: string | null;
  /** For a request for the additions since an earlier answer. */
  readonly growth?: ListGrowth | undefined;
  readonly warnings: readonly RecordWarning[];
  /** For a page of sessions, if available: the number of sessions before all filters but the tenants', and the number of unread ones. */
  readonly counts?: { readonly [Name in "total" | "unread" | "undecided"]?: number | undefined } | undefined;
}

/** An answer in one piece. */
export interface RevisedAnswer<Value> {
  readonly isUnchanged: false;
  readonly revision: string | undefined;
  readonly value: Value;
}

/** The answer to a caller that has what is of this revision already. */
export interface UnchangedList {
  readonly isUnchanged: true;
  readonly revision: string;
}

export interface ListOptions extends ReadOptions {
  /** True if the caller already has the list of that revision. Default is false. */
  readonly has?: ((revision: string) => boolean) | undefined;
}

/** The answer to a caller that has the list already; `undefined` for any other. */
export function unchanged(revision: string | undefined, options: ListOptions): UnchangedList | undefined {
  if (revision === undefined || !options.has?.(revision)) return undefined;
  return { isUnchanged: true, revision };
}

/** An answer to a caller that has none yet. */
export function changed<T extends { readonly isUnchanged: false }>(answer: T | UnchangedList): T {
  if (answer.isUnchanged)
    throw new TypeError("A use case says that nothing changed to a caller that has nothing.");
  return answer;
}

const decoder = new TextDecoder();

/** The records of a list, parsed. */
export async function* recordsIn<Value = unknown>({ texts }: JsonList): AsyncGenerator<Value, void> {
  for await (const text of texts) yield* JSON.parse(`[${decoder.decode(text)}]`) as Value[];
}

/**
 * Parses all records of a use case's list at once, for tests and small lists.
 *
 * @throws TypeError if the caller already has the list (`has`), and nothing changed
 *
 * @example
 * const listSessions = createInspectorContainer(source).resolve(TOKENS.listSessions);
 * const sessions = await recordsOf(await listSessions.execute({ tenants: ["acme"] }));
 */
export async function recordsOf<Value = unknown>(list: JsonList | UnchangedList): Promise<Value[]> {
  const records: Value[] = [];
  for await (const record of recordsIn<Value>(changed(list))) records.push(record);
  return records;
}

/** The texts of the records of a stream, batch by batch. */
export async function* textsOf(
  stream: RecordStream,
  selection: RecordSelection,
  options: ReadOptions,
): AsyncGenerator<Uint8Array, void> {
  for await (const batch of stream.read(selection, options)) yield batch.text;
}
