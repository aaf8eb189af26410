import { isJsonObject, labelField } from "../../../src/domain/json/json.js";
import { type AddressQuery, changeQuery, formatAddress } from "./address.js";
import { columnsText, readColumns } from "./session-columns.js";
import type { SessionColumn } from "./session-table.js";

/** A list of sessions to come back to, as the address names it. */
export interface SavedView {
  readonly name: string;
  readonly filter: string;
  /** As in an address: a column, with `-` in front for the largest first. Empty for the newest first. */
  readonly sort: string;
  readonly group: string;
  /** Absent for those that sessions fill. */
  readonly columns?: readonly SessionColumn[];
}

/** Parts of an address that a view stores: all but the search text. */
type ViewQuery = Pick<AddressQuery, "filter" | "sort" | "group" | "columns">;

/** @param columns the chosen columns; `undefined` if the reader has not chosen any */
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

/** True if an address displays a view. */
export function isViewShown(view: SavedView, { filter, sort, group, columns }: AddressQuery): boolean {
  const shown: Partial<ViewQuery> = changeQuery({}, { filter, sort, group, columns });
  return JSON.stringify(shown) === JSON.stringify(viewQuery(view));
}

/** The views with one more, which takes the place of one that is called the same. */
export function withView(views: readonly SavedView[], view: SavedView): SavedView[] {
  return [...views.filter(({ name }) => name !== view.name), view];
}

/** Parses views from external data; skips invalid entries. */
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
