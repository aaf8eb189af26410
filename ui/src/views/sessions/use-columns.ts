import { useMemo } from "react";
import { usePreferences } from "../../app/preferences.js";
import type { SessionListState } from "../../engine/list-protocol.js";
import type { AddressQuery } from "../../model/address.js";
import { columnsByDefault, columnsText, readColumns } from "../../model/session-columns.js";
import type { SessionColumn } from "../../model/session-table.js";

export interface ShownColumns {
  readonly shown: readonly SessionColumn[];
  /** Absent where nobody has chosen any. */
  readonly chosen: readonly SessionColumn[] | undefined;
}

/** The columns of the table: those of the address, else those that were chosen in this browser, else those that sessions fill. */
export function useColumns({ columns }: AddressQuery, list: SessionListState | undefined): ShownColumns {
  const preferred = columnsText(usePreferences().columns);
  const byDefault = list === undefined ? "" : columnsByDefault(list).join(",");
  return useMemo(() => {
    const chosen = readColumns(columns) ?? readColumns(preferred);
    return { shown: chosen ?? readColumns(byDefault) ?? ["title"], chosen };
  }, [columns, preferred, byDefault]);
}
