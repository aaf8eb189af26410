import { type InspectorSessionItem, stateOf } from "../../../../src/domain/session/session.js";
import { tenantName } from "../text/tenant-name.js";

type ValuedField = "tenant" | "user" | "source" | "model" | "status" | "label";

export interface FilterValue {
  readonly value: string;
  readonly label?: string;
  readonly count: number;
}

export type FilterValues = { readonly [field in ValuedField]: readonly FilterValue[] };

const MOST_VALUES = 200;

export function filterValues(sessions: readonly InspectorSessionItem[]): FilterValues {
  const values = {
    tenant: new CountedValues(),
    user: new CountedValues(),
    source: new CountedValues(),
    model: new CountedValues(),
    status: new CountedValues(),
    label: new CountedValues(),
  };
  for (const session of sessions) {
    const { directory, tenantId, userId, source, model, labels = [] } = session;
    values.tenant.add(directory ?? tenantId, tenantName(session).name);
    values.user.add(userId);
    values.source.add(source);
    values.model.add(model);
    values.status.add(stateOf(session).kind);
    for (const label of labels) values.label.add(label);
  }
  return {
    tenant: values.tenant.list(),
    user: values.user.list(),
    source: values.source.list(),
    model: values.model.list(),
    status: values.status.list(),
    label: values.label.list(),
  };
}

class CountedValues {
  readonly #counts = new Map<string, { readonly label: string; count: number }>();

  add(value: string | undefined, label = value): void {
    if (!value || !label) return;
    const count = this.#counts.get(value);
    if (count === undefined) this.#counts.set(value, { label, count: 1 });
    else count.count++;
  }

  list(): FilterValue[] {
    const labelled = new Map<string, number>();
    for (const { label } of this.#counts.values()) labelled.set(label, (labelled.get(label) ?? 0) + 1);
    return Array.from(this.#counts, ([value, { label, count }]): FilterValue => {
      // The last part of a folder is enough if it is unique.
      return labelled.get(label) === 1 ? { value: label, count } : { value, label, count };
    })
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      .slice(0, MOST_VALUES);
  }
}
