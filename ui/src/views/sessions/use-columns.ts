import { useMemo } from "react";
import { usePreferences } from "../../app/preferences.js";
import type { SessionListState } from "../../engine/sessions/list-protocol.js";
import type { AddressQuery } from "../../model/address/address.js";
import { columnsByDefault, columnsText, readColumns } from "../../model/sessions/session-columns.js";
import type { SessionColumn } from "../../model/sessions/session-table.js";

export interface VisibleColumns {
  readonly columns: readonly SessionColumn[];
  readonly chosen: readonly SessionColumn[] | undefined;
}

/** From the address, else from this browser, else the columns that sessions fill. */
export function useColumns({ columns }: AddressQuery, list: SessionListState | undefined): VisibleColumns {
  const preferred = columnsText(usePreferences().columns);
  const byDefault = list === undefined ? "" : columnsByDefault(list).join(",");
  return useMemo(() => {
    const chosen = readColumns(columns) ?? readColumns(preferred);
    return { columns: chosen ?? readColumns(byDefault) ?? ["title"], chosen };
  }, [columns, preferred, byDefault]);
}
