import { isJsonObject, labelField } from "../../../../src/domain/json/json.js";
import { type AddressQuery, changeQuery, formatAddress } from "../address/address.js";
import { columnsText, readColumns } from "./session-columns.js";
import type { SessionColumn } from "./session-table.js";

export interface SavedView {
  readonly name: string;
  readonly filter: string;
  /** A column, with `-` for the largest first. Empty for the newest first. */
  readonly sort: string;
  readonly group: string;
  /** Absent for those that sessions fill. */
  readonly columns?: readonly SessionColumn[];
}

/** All but the search text. */
type ViewQuery = Pick<AddressQuery, "filter" | "sort" | "group" | "columns">;

/** @param columns `undefined` if the reader has not chosen any */
export function viewOf(
  name: string,
  { filter = "", sort = "", group = "" }: AddressQuery,
  columns: readonly SessionColumn[] | undefined,
): SavedView {
  return { name, filter, sort, group, ...(columns !== undefined && { columns }) };
}

function viewQuery({ filter, sort, group, columns }: SavedView): AddressQuery {
  return changeQuery({}, { filter, sort, group, columns: columnsText(columns) });
}

export function viewAddress(view: SavedView): string {
  return formatAddress({ view: "sessions", query: viewQuery(view) });
}

export function isViewVisible(view: SavedView, { filter, sort, group, columns }: AddressQuery): boolean {
  const visible: Partial<ViewQuery> = changeQuery({}, { filter, sort, group, columns });
  return JSON.stringify(visible) === JSON.stringify(viewQuery(view));
}

/** Replaces a view of the same name. */
export function withView(views: readonly SavedView[], view: SavedView): SavedView[] {
  return [...views.filter(({ name }) => name !== view.name), view];
}

/** Skips invalid entries. */
export function readViews(value: unknown): SavedView[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isJsonObject).flatMap((view) => {
    const name = labelField(view, "name");
    if (!name) return [];
    const text = (field: "filter" | "sort" | "group") => labelField(view, field) ?? "";
    const columns = Array.isArray(view.columns) ? readColumns(view.columns.join(",")) : undefined;
    return [
      {
        name,
        filter: text("filter"),
        sort: text("sort"),
        group: text("group"),
        ...(columns !== undefined && { columns }),
      },
    ];
  });
}
