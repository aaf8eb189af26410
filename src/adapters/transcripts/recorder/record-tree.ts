import type { ContextRemoval, RemovalCause } from "../../../domain/conversation/conversation-outline.js";
import { hash53 } from "../../../domain/text/fingerprints.js";
import { formatInstant } from "../../../domain/trace/instant.js";
import { type MessagePlaces, runsOf } from "./message-places.js";

export interface TreeRecord {
  /** `undefined` for a record outside the tree. */
  readonly key: string | undefined;
  /** The preceding record; `null` for a root, `undefined` if unstated. */
  readonly parentId: string | null | undefined;
  readonly instant: number | undefined;
  readonly isMessage: boolean;
  readonly isUnseen: boolean;
  /** The record whose message it removes or replaces in the context. */
  readonly editedId: string | undefined;
  /** For a summary: the first record that it retained; its own ID if none. */
  readonly retainedFromId: string | undefined;
}

interface Node {
  readonly key: number;
  readonly parent: Node | undefined;
  readonly depth: number;
  /** Index of its message; -1 for none. */
  readonly message: number;
  readonly isUnseen: boolean;
  readonly edited: number | undefined;
  readonly retainedFrom: number | undefined;
}

/** Per file: branches may be many and long. */
const MOST_STEPS = 2_000_000;

/**
 * Each record names its parent; a call's context is the path from the root to the last written record. A record that continues from an
 * earlier one removes messages outside its path, and restores those on it.
 */
export class RecordTree {
  readonly #messages: MessagePlaces;
  readonly #nodes = new Map<number, Node>();
  #last: Node | undefined;
  #steps = 0;

  constructor(messages: MessagePlaces) {
    this.#messages = messages;
  }

  get bytes(): number {
    return this.#nodes.size * 150;
  }

  /**
   * Must precede the record's message. A parent outside the file stands for the previous record.
   * @returns the number of removed messages
   */
  goTo(record: TreeRecord): number {
    const { parentId } = record;
    if (parentId === undefined) return 0;
    const parent = parentId === null ? undefined : this.#find(parentId);
    const hasParent = parentId === null || parent !== undefined;
    const last = this.#last;
    if (!hasParent || parent === last || this.#steps > MOST_STEPS) return 0;
    this.#last = parent;
    const behind = this.#walked(nodesUp(last, (node) => depthOf(node) <= depthOf(parent)));
    const isBack = behind.length > 0 && behind[0]!.parent === parent;
    if (
      isBack &&
      behind.every(({ retainedFrom, edited }) => retainedFrom === undefined && edited === undefined)
    ) {
      const messages = behind.flatMap(({ message }) => (message < 0 ? [] : [message]));
      if (messages.length > 0) this.#remove("rewind", record, messages);
      return messages.length;
    }
    return this.#change("rewind", record, this.#walked(nodesUp(last)), this.#walked(nodesUp(parent)));
  }

  add(record: TreeRecord): void {
    const { key, isMessage, isUnseen, editedId, retainedFromId } = record;
    if (key === undefined) return;
    const message = isMessage ? this.#messages.size - 1 : -1;
    const edited = editedId === undefined ? undefined : this.#find(editedId)?.message;
    const parent = this.#last;
    const retainedFrom = retainedFromId === undefined ? undefined : hash53(retainedFromId);
    const node = {
      key: hash53(key),
      parent,
      depth: depthOf(parent),
      message,
      isUnseen,
      edited,
      retainedFrom,
    };
    this.#last = node;
    this.#nodes.set(node.key, node);
    if (isUnseen && isMessage) this.#remove("request", record, [message], { at: message });
    if (edited !== undefined && edited >= 0) this.#remove("request", record, [edited]);
    if (retainedFrom !== undefined && this.#steps <= MOST_STEPS)
      this.#change("compaction", record, this.#walked(contextOf(parent)), this.#walked(contextOf(node)));
  }

  #find(id: string): Node | undefined {
    return this.#nodes.get(hash53(id));
  }

  #walked(nodes: readonly Node[]): readonly Node[] {
    this.#steps += nodes.length;
    return nodes;
  }

  #change(cause: RemovalCause, record: TreeRecord, from: readonly Node[], to: readonly Node[]): number {
    const [before, now] = [visibleOn(from), visibleOn(to)];
    const [had, has] = [new Set(before), new Set(now)];
    const isLeft = (node: Node) => cause === "rewind" && to[node.depth] !== node && node.message >= 0;
    const left = from.filter(isLeft);
    const gone = new Set([...left.map(({ message }) => message), ...before.filter((one) => !has.has(one))]);
    const dropped = [...gone].sort((a, b) => a - b);
    const context = { seen: runsOf(now) };
    if (cause === "compaction") this.#remove(cause, record, dropped, context);
    else {
      const back = now.filter((one) => !had.has(one)).sort((a, b) => a - b);
      const restored = back.length === 0 ? {} : { restored: runsOf(back) };
      if (dropped.length + back.length > 0) this.#remove(cause, record, dropped, restored);
      if (now.some((one, i) => one < now[i - 1]!)) this.#remove(cause, record, [], context);
    }
    return dropped.length;
  }

  #remove(
    cause: RemovalCause,
    { instant }: TreeRecord,
    messages: readonly number[],
    more: Partial<Pick<ContextRemoval, "at" | "restored" | "seen">> = {},
  ): void {
    const timestamp = instant === undefined ? {} : { timestamp: formatInstant(instant) };
    this.#messages.remove({
      at: this.#messages.size,
      cause,
      ...timestamp,
      messages: runsOf(messages),
      ...more,
    });
  }
}

function depthOf(node: Node | undefined): number {
  return node === undefined ? 0 : node.depth + 1;
}

function nodesUp(last: Node | undefined, isPassed?: (node: Node) => boolean): readonly Node[] {
  const nodes: Node[] = [];
  for (let node = last; node !== undefined && isPassed?.(node) !== true; node = node.parent) nodes.push(node);
  return nodes.reverse();
}

function contextOf(last: Node | undefined): readonly Node[] {
  let summary: Node | undefined;
  let isComplete = false;
  return nodesUp(last, (node) => {
    if (isComplete) return true;
    if (node.retainedFrom !== undefined) summary ??= node;
    isComplete = node.key === summary?.retainedFrom;
    return false;
  });
}

function visibleOn(path: readonly Node[]): number[] {
  const edited = new Set(path.map((node) => node.edited));
  const isInContext = ({ message, isUnseen }: Node) => message >= 0 && !isUnseen && !edited.has(message);
  return inContext(path)
    .filter(isInContext)
    .map(({ message }) => message);
}

function inContext(path: readonly Node[]): readonly Node[] {
  const at = path.findLastIndex(({ retainedFrom }) => retainedFrom !== undefined);
  if (at === -1) return path;
  const before = path.slice(0, at);
  const from = before.findIndex(({ key }) => key === path[at]!.retainedFrom);
  const retained =
    from === -1 ? [] : before.slice(from).filter(({ retainedFrom }) => retainedFrom === undefined);
  return [path[at]!, ...retained, ...path.slice(at + 1)];
}
