import type { InspectorSessionItem } from "../../../src/domain/session/session.js";

type Named = Pick<InspectorSessionItem, "tenantId" | "directory" | "source">;

/** Display name of a tenant, and its tooltip. */
export interface TenantName {
  readonly name: string;
  readonly whole: string;
}

/**
 * Returns the display name of a session's tenant: the folder that the agent worked in, if the session recorded it. With several sources,
 * the tenant id begins with a key, which the source's own name already states.
 */
export function tenantName({ tenantId, directory, source }: Named): TenantName {
  const folder = directory?.split(/[/\\]/).findLast((name) => name !== "");
  if (directory !== undefined && folder !== undefined) return { name: folder, whole: directory };
  const name = source === undefined ? tenantId : tenantId.slice(tenantId.indexOf(":") + 1);
  return { name, whole: tenantId };
}

/** A tenant option: two of the same name are distinguished by their full names. */
export interface TenantOption {
  readonly value: string;
  readonly label: string;
}

/** @param tenants the names of tenants by their ids */
export function tenantOptions(tenants: ReadonlyMap<string, TenantName>): TenantOption[] {
  const counts = new Map<string, number>();
  for (const { name } of tenants.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Array.from(tenants, ([value, { name, whole }]) => ({
    value,
    label: counts.get(name) === 1 ? name : `${name} (${whole})`,
  })).sort((a, b) => (a.label < b.label ? -1 : 1));
}
