import type { ConversationOutline } from "../../domain/conversation/conversation-outline.js";
import type { ReadOptions, RecordSelection, RecordStream, RecordWarning } from "../ports/record-stream.js";
import type { ListGrowth } from "./list-growth.js";

/** JSON text in pieces, each the inside of an array. */
export interface JsonList {
  readonly isUnchanged: false;
  /** The source's revision, or a fingerprint of the list; `undefined` without either. */
  readonly revision: string | undefined;
  readonly texts: AsyncIterable<Uint8Array>;
  /** For messages: the index of the first one. */
  readonly from?: number | undefined;
  /** For messages with an outline: the model calls and removals in the window. */
  readonly outline?: ConversationOutline;
  /** For a list with a limit: the start of the next window, or `null` at the end. */
  readonly nextCursor?: string | null;
  readonly growth?: ListGrowth | undefined;
  readonly warnings: readonly RecordWarning[];
  /** For a page of sessions. `total` ignores all filters but the tenants'. */
  readonly counts?: { readonly [Name in "total" | "unread" | "undecided"]?: number | undefined } | undefined;
}

export interface RevisedAnswer<Value> {
  readonly isUnchanged: false;
  readonly revision: string | undefined;
  readonly value: Value;
}

export interface UnchangedList {
  readonly isUnchanged: true;
  readonly revision: string;
}

export interface ListOptions extends ReadOptions {
  readonly has?: ((revision: string) => boolean) | undefined;
}

export function unchanged(revision: string | undefined, options: ListOptions): UnchangedList | undefined {
  if (revision === undefined || !options.has?.(revision)) return undefined;
  return { isUnchanged: true, revision };
}

/** @throws TypeError for an unchanged list */
export function changed<T extends { readonly isUnchanged: false }>(answer: T | UnchangedList): T {
  if (answer.isUnchanged)
    throw new TypeError("A use case says that nothing changed to a caller that has nothing.");
  return answer;
}

const decoder = new TextDecoder();

export async function* recordsIn<Value = unknown>({ texts }: JsonList): AsyncGenerator<Value, void> {
  for await (const text of texts) yield* JSON.parse(`[${decoder.decode(text)}]`) as Value[];
}

/**
 * Parses all records of a list at once, for tests and small lists.
 * @throws TypeError if the caller already has the list (`has`), and nothing changed
 * @example
 * const listSessions = createInspectorContainer(source).resolve(TOKENS.listSessions);
 * const sessions = await recordsOf(await listSessions.execute({ tenants: ["acme"] }));
 */
export async function recordsOf<Value = unknown>(list: JsonList | UnchangedList): Promise<Value[]> {
  const records: Value[] = [];
  for await (const record of recordsIn<Value>(changed(list))) records.push(record);
  return records;
}

export async function* textsOf(
  stream: RecordStream,
  selection: RecordSelection,
  options: ReadOptions,
): AsyncGenerator<Uint8Array, void> {
  for await (const batch of stream.read(selection, options)) yield batch.text;
}
