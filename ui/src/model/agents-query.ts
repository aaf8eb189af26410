import type { AddressQuery } from "./address.js";
import type { SumsScope } from "./agent-table.js";

/** The columns of the table of agents, in their order. */
const AGENT_COLUMNS = [
  "agent",
  "prompt",
  "state",
  "model",
  "calls",
  "tokens",
  "cost",
  "errors",
  "duration",
  "waited",
] as const;

export type AgentColumn = (typeof AGENT_COLUMNS)[number];

/** Minimum total width of the columns for each of these columns to be included. */
const ROOM: { readonly [column in AgentColumn]?: number } = {
  model: 900,
  prompt: 740,
  tokens: 660,
  calls: 660,
  waited: 440,
  errors: 440,
  state: 380,
  cost: 320,
};

/** The columns that there is room for. */
export function columnsWithin(width: number, hasCost: boolean): readonly AgentColumn[] {
  return AGENT_COLUMNS.filter((column) => width >= (ROOM[column] ?? 0) && (hasCost || column !== "cost"));
}

/** Columns that are sorted largest first. */
const NUMBERS: readonly AgentColumn[] = ["calls", "tokens", "cost", "errors", "duration", "waited"];

export const isNumber = (column: AgentColumn): boolean => NUMBERS.includes(column);

export interface AgentSort {
  readonly column: AgentColumn;
  readonly descending: boolean;
}

/** Below the agent that spawned each, all in one order, or below a heading of each role. */
export type AgentLayout = "tree" | "flat" | "roles";

export const AGENT_LAYOUTS: readonly AgentLayout[] = ["tree", "flat", "roles"];
export const SUMS_SCOPES: readonly SumsScope[] = ["own", "branch"];

/** A reader's choices for the view of the agents. */
export interface AgentsQuery {
  readonly filter: string;
  /** `undefined` is the order in which they were spawned. In a tree, siblings are sorted. */
  readonly sort: AgentSort | undefined;
  readonly layout: AgentLayout;
  readonly sums: SumsScope;
}

/** @example readAgentsQuery({ sort: "-cost", layout: "flat" }).sort // { column: "cost", descending: true } */
export function readAgentsQuery({ filter = "", sort = "", layout, sums }: AddressQuery): AgentsQuery {
  const column = AGENT_COLUMNS.find((name) => name === sort.replace(/^-/, ""));
  const shown = AGENT_LAYOUTS.find((name) => name === layout) ?? "tree";
  return {
    filter,
    sort: column && { column, descending: sort.startsWith("-") },
    layout: shown,
    sums: SUMS_SCOPES.find((name) => name === sums) ?? usualSums(shown),
  };
}

/** A tree shows what branches come to. In a list of all agents that would count many of them several times. */
export function usualSums(layout: AgentLayout): SumsScope {
  return layout === "tree" ? "branch" : "own";
}

/** Returns the sorting after a click on a column's header: largest or first first, then reversed, then unsorted again. */
export function nextAgentSort(sort: AgentSort | undefined, column: AgentColumn): string {
  const [first, second] = isNumber(column) ? [`-${column}`, column] : [column, `-${column}`];
  if (sort?.column !== column) return first;
  return (sort.descending ? `-${column}` : column) === first ? second : "";
}
