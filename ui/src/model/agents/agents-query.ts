import type { AddressQuery } from "../address/address.js";
import type { SumsScope } from "./agent-table.js";

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

export function columnsWithin(width: number, hasCost: boolean): readonly AgentColumn[] {
  return AGENT_COLUMNS.filter((column) => width >= (ROOM[column] ?? 0) && (hasCost || column !== "cost"));
}

const NUMBERS: readonly AgentColumn[] = ["calls", "tokens", "cost", "errors", "duration", "waited"];

export const isNumber = (column: AgentColumn): boolean => NUMBERS.includes(column);

export interface AgentSort {
  readonly column: AgentColumn;
  readonly descending: boolean;
}

/** Below the parent, in one list, or below a heading per role. */
export type AgentLayout = "tree" | "flat" | "roles";

export const AGENT_LAYOUTS: readonly AgentLayout[] = ["tree", "flat", "roles"];
export const SUMS_SCOPES: readonly SumsScope[] = ["own", "branch"];

export interface AgentsQuery {
  readonly filter: string;
  /** `undefined` for the order of spawning. In a tree, siblings are sorted. */
  readonly sort: AgentSort | undefined;
  readonly layout: AgentLayout;
  readonly sums: SumsScope;
}

/** @example readAgentsQuery({ sort: "-cost", layout: "flat" }).sort // { column: "cost", descending: true } */
export function readAgentsQuery({ filter = "", sort = "", layout, sums }: AddressQuery): AgentsQuery {
  const column = AGENT_COLUMNS.find((name) => name === sort.replace(/^-/, ""));
  const layoutName = AGENT_LAYOUTS.find((name) => name === layout) ?? "tree";
  return {
    filter,
    sort: column && { column, descending: sort.startsWith("-") },
    layout: layoutName,
    sums: SUMS_SCOPES.find((name) => name === sums) ?? usualSums(layoutName),
  };
}

/** A list with branches would count many agents several times. */
export function usualSums(layout: AgentLayout): SumsScope {
  return layout === "tree" ? "branch" : "own";
}

/** Three clicks: largest or first first, reversed, unsorted. */
export function nextAgentSort(sort: AgentSort | undefined, column: AgentColumn): string {
  const [first, second] = isNumber(column) ? [`-${column}`, column] : [column, `-${column}`];
  if (sort?.column !== column) return first;
  return (sort.descending ? `-${column}` : column) === first ? second : "";
}
