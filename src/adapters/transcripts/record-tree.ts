import type { ContextRemoval, RemovalCause } from "../../domain/conversation/conversation-outline.js";
import { hash53 } from "../../domain/text/fingerprints.js";
import { formatInstant } from "../../domain/trace/instant.js";
import { type MessagePlaces, runsOf } from "./message-places.js";

/** Position of a record in the tree of its file. */
export interface TreeRecord {
  /** Key by which other records refer to it; `undefined` for a record outside the tree. */
  readonly key: string | undefined;
  /** The record that it follows; `null` for a root, `undefined` where it does not say. */
  readonly parentId: string | null | undefined;
  /** Milliseconds since the epoch. */
  readonly instant: number | undefined;
  readonly isMessage: boolean;
  /** True if its message is in no call's context. */
  readonly isUnseen: boolean;
  /** The record whose message it removes from the context, or replaces. */
  readonly editedId: string | undefined;
  /** For a summary that replaces earlier messages: the first record that it retained; its own id if it retained none. */
  readonly keptFromId: string | undefined;
}

interface Node {
  readonly key: number;
  readonly parent: Node | undefined;
  /** Number of records above it. */
  readonly depth: number;
  /** Its message, by how many were before; -1 for none. */
  readonly message: number;
  readonly isUnseen: boolean;
  readonly edited: number | undefined;
  readonly keptFrom: number | undefined;
}

/** Maximum number of records per file that are traversed to determine removals by branches: they may be many, and long. */
const MOST_STEPS = 2_000_000;

/**
 * Tree of a file's records; each record names the record that it follows. The context of a call is the path from the root to the last
 * written record. A record that follows an earlier record removes all messages that are not on its own path, and restores those that are.
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
   * Goes to what a record follows, before its message is noted. Where that is not in the file, it is the record before.
   *
   * @returns how many messages are taken back
   */
  goTo(record: TreeRecord): number {
    const { parentId } = record;
    if (parentId === undefined) return 0;
    const parent = parentId === null ? undefined : this.#find(parentId);
    const isKnown = parentId === null || parent !== undefined;
    const last = this.#last;
    if (!isKnown || parent === last || this.#steps > MOST_STEPS) return 0;
    this.#last = parent;
    const behind = this.#walked(nodesUp(last, (node) => depthOf(node) <= depthOf(parent)));
    const isBack = behind.length > 0 && behind[0]!.parent === parent;
    if (isBack && behind.every(({ keptFrom, edited }) => keptFrom === undefined && edited === undefined)) {
      const messages = behind.flatMap(({ message }) => (message < 0 ? [] : [message]));
      if (messages.length > 0) this.#remove("rewind", record, messages);
      return messages.length;
    }
    return this.#change("rewind", record, this.#walked(nodesUp(last)), this.#walked(nodesUp(parent)));
  }

  /** Adds a record after its parent, and after its message. */
  add(record: TreeRecord): void {
    const { key, isMessage, isUnseen, editedId, keptFromId } = record;
    if (key === undefined) return;
    const message = isMessage ? this.#messages.size - 1 : -1;
    const edited = editedId === undefined ? undefined : this.#find(editedId)?.message;
    const parent = this.#last;
    const keptFrom = keptFromId === undefined ? undefined : hash53(keptFromId);
    const node = { key: hash53(key), parent, depth: depthOf(parent), message, isUnseen, edited, keptFrom };
    this.#last = node;
    this.#nodes.set(node.key, node);
    if (isUnseen && isMessage) this.#remove("request", record, [message], { at: message });
    if (edited !== undefined && edited >= 0) this.#remove("request", record, [edited]);
    if (keptFrom !== undefined && this.#steps <= MOST_STEPS)
      this.#change("compaction", record, this.#walked(contextOf(parent)), this.#walked(contextOf(node)));
  }

  #find(id: string): Node | undefined {
    return this.#nodes.get(hash53(id));
  }

  #walked(nodes: readonly Node[]): readonly Node[] {
    this.#steps += nodes.length;
    return nodes;
  }

  /** @returns number of messages that are no longer in the context */
  #change(cause: RemovalCause, record: TreeRecord, from: readonly Node[], to: readonly Node[]): number {
    const [before, now] = [visibleOn(from), visibleOn(to)];
    const [had, has] = [new Set(before), new Set(now)];
    const isLeft = (node: Node) => cause === "rewind" && to[node.depth] !== node && node.message >= 0;
    const left = from.filter(isLeft);
    const gone = new Set([...left.map(({ message }) => message), ...before.filter((one) => !has.has(one))]);
    const dropped = [...gone].sort((a, b) => a - b);
    const seen = { seen: runsOf(now) };
    if (cause === "compaction") this.#remove(cause, record, dropped, seen);
    else {
      const back = now.filter((one) => !had.has(one)).sort((a, b) => a - b);
      const restored = back.length === 0 ? {} : { restored: runsOf(back) };
      if (dropped.length + back.length > 0) this.#remove(cause, record, dropped, restored);
      // The messages that a summary retained come after it in the context.
      if (now.some((one, i) => one < now[i - 1]!)) this.#remove(cause, record, [], seen);
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

/** Returns the number of records on the path to a node, including the node. */
function depthOf(node: Node | undefined): number {
  return node === undefined ? 0 : node.depth + 1;
}

/** The records on the path to one, from the last on that is not passed. Default is that it is the root. */
function nodesUp(last: Node | undefined, isPassed?: (node: Node) => boolean): readonly Node[] {
  const nodes: Node[] = [];
  for (let node = last; node !== undefined && isPassed?.(node) !== true; node = node.parent) nodes.push(node);
  return nodes.reverse();
}

/** Returns the part of the path to a record that is in a call's context: from the first record that its last summary retained. */
function contextOf(last: Node | undefined): readonly Node[] {
  let summary: Node | undefined;
  let isWhole = false;
  return nodesUp(last, (node) => {
    if (isWhole) return true;
    if (node.keptFrom !== undefined) summary ??= node;
    isWhole = node.key === summary?.keptFrom;
    return false;
  });
}

/** The messages that a call sees that follows a path. */
function visibleOn(path: readonly Node[]): number[] {
  const edited = new Set(path.map((node) => node.edited));
  const isSeen = ({ message, isUnseen }: Node) => message >= 0 && !isUnseen && !edited.has(message);
  return inContext(path)
    .filter(isSeen)
    .map(({ message }) => message);
}

/** Returns the last summary of a path, the records that it retained, and the records after it. */
function inContext(path: readonly Node[]): readonly Node[] {
  const at = path.findLastIndex(({ keptFrom }) => keptFrom !== undefined);
  if (at === -1) return path;
  const before = path.slice(0, at);
  const from = before.findIndex(({ key }) => key === path[at]!.keptFrom);
  const kept = from === -1 ? [] : before.slice(from).filter(({ keptFrom }) => keptFrom === undefined);
  return [path[at]!, ...kept, ...path.slice(at + 1)];
}
