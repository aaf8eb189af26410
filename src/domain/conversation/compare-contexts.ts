import { groupBy } from "../lists/lists.js";
import type { ReadMessage } from "./conversation.js";
import { partText } from "./message-part.js";

export type ContextChange = "added" | "kept" | "rewritten" | "dropped";

export interface ContextRow {
  readonly change: ContextChange;
  readonly before: ReadMessage | undefined;
  readonly after: ReadMessage | undefined;
}

/**
 * Messages are equal if their roles and texts are. A removed and a new message at the same position form a rewrite if they have the same
 * origin, or are results of the same tool call.
 */
export function compareContexts(base: readonly ReadMessage[], call: readonly ReadMessage[]): ContextRow[] {
  const rows: ContextRow[] = [];
  const shorter = Math.min(base.length, call.length);
  let head = 0;
  while (head < shorter && isSame(base[head]!, call[head]!)) head++;
  let tail = 0;
  while (tail < shorter - head && isSame(base[base.length - 1 - tail]!, call[call.length - 1 - tail]!))
    tail++;
  for (let i = 0; i < head; i++) rows.push(retainedRow(base[i]!, call[i]!));
  append(rows, compareMiddle(base.slice(head, base.length - tail), call.slice(head, call.length - tail)));
  for (let i = tail; i > 0; i--) rows.push(retainedRow(base[base.length - i]!, call[call.length - i]!));
  return rows;
}

/** A spread fails: a context may have more rows than a call takes arguments. */
function append<Row>(rows: Row[], more: readonly Row[]): void {
  for (const row of more) rows.push(row);
}

function compareMiddle(base: readonly ReadMessage[], call: readonly ReadMessage[]): ContextRow[] {
  const places = groupBy(call.keys(), (at) => fingerprint(call[at]!));
  const rows: ContextRow[] = [];
  let gone: ReadMessage[] = [];
  let next = 0;
  for (const message of base) {
    const at = places
      .get(fingerprint(message))
      ?.find((place) => place >= next && isSame(message, call[place]!));
    if (at === undefined) {
      gone.push(message);
      continue;
    }
    append(rows, pairUp(gone, call.slice(next, at)));
    rows.push(retainedRow(message, call[at]!));
    gone = [];
    next = at + 1;
  }
  append(rows, pairUp(gone, call.slice(next)));
  return rows;
}

function pairUp(gone: readonly ReadMessage[], fresh: readonly ReadMessage[]): ContextRow[] {
  const rows: ContextRow[] = [];
  const left = [...fresh];
  for (const before of gone) {
    const at = left.findIndex((after) => isRewriteOf(before, after));
    if (at === -1) {
      rows.push({ change: "dropped", before, after: undefined });
      continue;
    }
    const skipped = left.splice(0, at + 1);
    for (const after of skipped.slice(0, at)) rows.push({ change: "added", before: undefined, after });
    rows.push({ change: "rewritten", before, after: skipped[at]! });
  }
  for (const after of left) rows.push({ change: "added", before: undefined, after });
  return rows;
}

/** A summary is never a rewrite, because it replaces many messages. */
function isRewriteOf(before: ReadMessage, after: ReadMessage): boolean {
  if (before.origin !== after.origin || before.origin === "summary") return false;
  const calls = callIds(before);
  const others = callIds(after);
  if (calls.length > 0 || others.length > 0) return calls.some((id) => others.includes(id));
  return before.index === after.index || before.origin === "system";
}

function callIds(message: ReadMessage): string[] {
  return message.parts.flatMap((part) =>
    (part.type === "call" || part.type === "result") && part.callId !== "" ? [part.callId] : [],
  );
}

function retainedRow(before: ReadMessage, after: ReadMessage): ContextRow {
  return { change: "kept", before, after };
}

function isSame(a: ReadMessage, b: ReadMessage): boolean {
  return a === b || (a.size === b.size && a.role === b.role && messageText(a) === messageText(b));
}

function fingerprint(message: ReadMessage): string {
  const [first] = message.parts;
  return `${message.role} ${message.size} ${first === undefined ? "" : partText(first).slice(0, 80)}`;
}

export function messageText(message: ReadMessage): string {
  return message.parts
    .map((part) => (part.type === "call" ? `${part.name} ${partText(part)}` : partText(part)))
    .join("\n\n");
}

export interface ContextRun {
  readonly change: "run";
  readonly of: "kept" | "dropped";
  readonly rows: readonly ContextRow[];
}

/** Shorter runs are displayed message by message. Dropped messages are more interesting, so they fold later. */
const LEAST = { kept: 5, dropped: 10 } as const;

export function foldRuns(rows: readonly ContextRow[]): (ContextRow | ContextRun)[] {
  const folded: (ContextRow | ContextRun)[] = [];
  for (let from = 0; from < rows.length; ) {
    const { change } = rows[from]!;
    let to = from + 1;
    while (to < rows.length && rows[to]!.change === change) to++;
    if ((change === "kept" || change === "dropped") && to - from >= LEAST[change]) {
      const first = from === 0 ? from : from + 1;
      const last = to === rows.length ? to : to - 1;
      const run: ContextRun = { change: "run", of: change, rows: rows.slice(first, last) };
      folded.push(...rows.slice(from, first), run, ...rows.slice(last, to));
    } else append(folded, rows.slice(from, to));
    from = to;
  }
  return folded;
}
