import type { AddressQuery } from "../address/address.js";

/** A sorted trace is a flat list of calls. */
export interface TraceSort {
  readonly column: "duration" | "added" | "cost";
  readonly descending: boolean;
}

const SORT_COLUMNS: readonly TraceSort["column"][] = ["duration", "added", "cost"];

export type TraceLayout = "tree" | "list" | TraceSort;

/** @example readOrder({ order: "-duration" }) // { column: "duration", descending: true } */
export function readOrder({ order = "" }: AddressQuery): TraceLayout {
  if (order === "list") return "list";
  const column = SORT_COLUMNS.find((name) => name === order.replace(/^-/, ""));
  return column === undefined ? "tree" : { column, descending: order.startsWith("-") };
}

/** Three clicks: largest first, smallest first, the tree. */
export function nextOrder(order: TraceLayout, column: TraceSort["column"]): string {
  if (typeof order === "string" || order.column !== column) return `-${column}`;
  return order.descending ? column : "";
}
