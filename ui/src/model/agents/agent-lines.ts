import { groupBy } from "../../../../src/domain/lists/lists.js";
import { agentFilter } from "./agent-filter.js";
import { type AgentEntry, type AgentSums, type SumsScope, sumsOf } from "./agent-table.js";
import type { AgentColumn, AgentSort, AgentsQuery } from "./agents-query.js";

export type AgentLine = AgentEntryLine | RoleLine;

interface Line {
  readonly id: string;
  readonly depth: number;
  /** Lines on the next level only. */
  readonly parts: number;
  readonly folded: boolean;
  readonly sums: AgentSums;
}

interface AgentEntryLine extends Line {
  readonly type: "agent";
  readonly entry: AgentEntry;
  /** Does not match the filter, but spawned an agent that does. */
  readonly aside: boolean;
}

interface RoleLine extends Line {
  readonly type: "role";
  readonly role: string;
  readonly entries: readonly AgentEntry[];
}

/** More agents begin with folded roles, because a reader first needs the sums of roles. */
const OPEN_AGENTS = 30;

export type AgentFolds = ReadonlySet<string>;

/** @param entries the main agent first */
export function agentLines(
  entries: readonly AgentEntry[],
  query: AgentsQuery,
  folds: AgentFolds,
): AgentLine[] {
  const matches = agentFilter(query.filter);
  if (query.layout === "tree") return treeLines(entries, query, folds, matches);
  const visible = matches === undefined ? entries : entries.filter(matches);
  if (query.layout === "roles") return roleLines(visible, query, folds);
  return sorted(visible, query).map((entry) => entryLine(entry, query.sums, 0, false));
}

function treeLines(
  entries: readonly AgentEntry[],
  query: AgentsQuery,
  folds: AgentFolds,
  matches: ((entry: AgentEntry) => boolean) | undefined,
): AgentLine[] {
  const visible = matches && matching(entries, matches);
  const lines: AgentLine[] = [];
  const stack = entries.slice(0, 1).map((entry) => ({ entry, depth: 0 }));
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { entry, depth } = next;
    const match = visible === undefined || visible.get(entry);
    if (match === undefined) continue;
    const children =
      visible === undefined ? entry.children : entry.children.filter((child) => visible.has(child));
    const folded = children.length > 0 && match && folds.has(entry.id);
    lines.push({ ...entryLine(entry, query.sums, depth, !match), parts: children.length, folded });
    if (folded) continue;
    const order = sorted(children, query);
    for (let i = order.length - 1; i >= 0; i--) stack.push({ entry: order[i]!, depth: depth + 1 });
  }
  return lines;
}

/** True for matches, false for agents that spawned matches. */
function matching(
  entries: readonly AgentEntry[],
  matches: (entry: AgentEntry) => boolean,
): ReadonlyMap<AgentEntry, boolean> {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const visible = new Map<AgentEntry, boolean>();
  for (const entry of entries) {
    if (!matches(entry)) continue;
    visible.set(entry, true);
    for (let at = byId.get(entry.parentId ?? ""); at !== undefined && !visible.has(at); ) {
      visible.set(at, false);
      at = byId.get(at.parentId ?? "");
    }
  }
  return visible;
}

function roleLines(entries: readonly AgentEntry[], query: AgentsQuery, folds: AgentFolds): AgentLine[] {
  const heads = [...groupBy(entries, ({ role }) => role)].map(([role, members]): RoleLine => {
    const id = roleId(role);
    const folded = folds.has(id) !== entries.length > OPEN_AGENTS;
    const sums = sumsOf(members);
    return { type: "role", id, role, entries: members, depth: 0, parts: members.length, folded, sums };
  });
  const { sort } = query;
  if (sort !== undefined)
    heads.sort(
      inOrder(
        sort,
        ({ sums }) => sums,
        ({ role }) => role,
      ),
    );
  return heads.flatMap((head): AgentLine[] => {
    if (head.folded) return [head];
    return [head, ...sorted(head.entries, query).map((entry) => entryLine(entry, query.sums, 1, false))];
  });
}

function roleId(role: string): string {
  return `role:${role}`;
}

/** Lines to unfold for an agent to have a line. */
export function foldedAround(
  entry: AgentEntry,
  entries: readonly AgentEntry[],
  query: AgentsQuery,
): string[] {
  if (query.layout === "roles") return [roleId(entry.role)];
  const byId = new Map(entries.map((one) => [one.id, one]));
  const around: string[] = [];
  for (let at = entry.parentId; at !== undefined; at = byId.get(at)?.parentId) around.push(at);
  return around;
}

function entryLine(entry: AgentEntry, scope: SumsScope, depth: number, aside: boolean): AgentEntryLine {
  const sums = entry.sums[scope];
  return { type: "agent", id: entry.id, entry, depth, aside, parts: 0, folded: false, sums };
}

function sorted(entries: readonly AgentEntry[], { sort, sums }: AgentsQuery): readonly AgentEntry[] {
  if (sort === undefined) return entries;
  return entries.toSorted(
    inOrder(
      sort,
      (entry) => entry.sums[sums],
      (entry) => wordOf(entry, sort.column),
    ),
  );
}

/** Lines without a value are last in either direction. */
function inOrder<T>(
  { column, descending }: AgentSort,
  sumsOf: (one: T) => AgentSums,
  textOf: (one: T) => string,
) {
  const sign = descending ? -1 : 1;
  return (a: T, b: T): number => {
    const [one, other] = [numberOf(sumsOf(a), column), numberOf(sumsOf(b), column)];
    if (one !== undefined && other !== undefined) return sign * (one - other);
    if (one !== other) return one === undefined ? 1 : -1;
    const [text, otherText] = [textOf(a), textOf(b)];
    if (text === otherText) return 0;
    if (text === "" || otherText === "") return text === "" ? 1 : -1;
    return text < otherText ? -sign : sign;
  };
}

function numberOf(sums: AgentSums, column: AgentColumn): number | undefined {
  switch (column) {
    case "calls":
      return sums.llmCalls + sums.toolCalls;
    case "tokens":
      return sums.tokens;
    case "cost":
      return sums.cost?.usd;
    case "errors":
      return sums.errors;
    case "duration":
      return sums.durationMs;
    case "waited":
      return sums.waitedMs;
    default:
      return undefined;
  }
}

function wordOf(entry: AgentEntry, column: AgentColumn): string {
  switch (column) {
    case "agent":
      return entry.name.toLowerCase();
    case "prompt":
      return entry.prompt().toLowerCase();
    case "state":
      return entry.state;
    case "model":
      return entry.models[0] ?? "";
    default:
      return "";
  }
}
