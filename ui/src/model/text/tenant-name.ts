import type { InspectorSessionItem } from "../../../../src/domain/session/session.js";

type Named = Pick<InspectorSessionItem, "tenantId" | "directory" | "source">;

export interface TenantName {
  readonly name: string;
  readonly full: string;
}

/** The agent's folder, if recorded. With several sources, the tenant id begins with a key that the source's name already states. */
export function tenantName({ tenantId, directory, source }: Named): TenantName {
  const folder = directory?.split(/[/\\]/).findLast((name) => name !== "");
  if (directory !== undefined && folder !== undefined) return { name: folder, full: directory };
  const name = source === undefined ? tenantId : tenantId.slice(tenantId.indexOf(":") + 1);
  return { name, full: tenantId };
}

/** Full names distinguish tenants with one name. */
export interface TenantOption {
  readonly value: string;
  readonly label: string;
}

/** @param tenants names by id */
export function tenantOptions(tenants: ReadonlyMap<string, TenantName>): TenantOption[] {
  const counts = new Map<string, number>();
  for (const { name } of tenants.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Array.from(tenants, ([value, { name, full }]) => ({
    value,
    label: counts.get(name) === 1 ? name : `${name} (${full})`,
  })).sort((a, b) => (a.label < b.label ? -1 : 1));
}
