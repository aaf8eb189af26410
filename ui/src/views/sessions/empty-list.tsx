import { changeAddress } from "../../app/address-store.js";
import type { SessionListState } from "../../engine/list-protocol.js";
import type { AddressQuery } from "../../model/address.js";
import { formatCount } from "../../model/formats.js";
import { STRINGS } from "../../strings/strings.js";
import { Notice } from "../parts/notice.js";
import styles from "./sessions-view.module.css";

const { list: strings, columns, statuses } = STRINGS;

const FILTERS = ["source", "tenant", "user", "status"] as const;

interface EmptyListProps {
  readonly query: AddressQuery;
  readonly list: SessionListState;
  onChange(changes: AddressQuery): void;
}

/** In the place of the table: why there is no session, and what to do. */
export function EmptyList({ query, list, onChange }: EmptyListProps) {
  const chosen = FILTERS.filter((name) => query[name] !== undefined);
  if (!list.complete) {
    const { progress } = list;
    return (
      <Notice title={chosen.length === 0 ? strings.loading : strings.noMatchYet} later={strings.loadingLong}>
        {progress !== undefined && (
          <p>{strings.readSoFar(formatCount(progress.read), formatCount(progress.total))}</p>
        )}
      </Notice>
    );
  }
  if (chosen.length === 0) return <Notice title={strings.none}>{strings.noneHint}</Notice>;
  return (
    <Notice title={strings.noMatch}>
      <p>{strings.noMatchHint}</p>
      <p className={styles.ways}>
        {chosen.length > 1 &&
          chosen.map((name) => (
            <button key={name} type="button" onClick={() => onChange({ [name]: "" })}>
              {strings.without(columns[name].toLowerCase(), valueText(list, name, query[name]!))}
            </button>
          ))}
        <button type="button" onClick={() => changeAddress({})}>
          {strings.clear}
        </button>
      </p>
    </Notice>
  );
}

/** What the filters call a value. */
function valueText({ tenants }: SessionListState, name: string, value: string): string {
  if (name === "status") return statuses.get(value) ?? value;
  const known = name === "tenant" ? tenants.find((tenant) => tenant.value === value) : undefined;
  return known?.label ?? value;
}
