import type { InspectorSessionItem } from "../../../src/domain/session/session.js";

type Named = Pick<InspectorSessionItem, "tenantId" | "directory" | "source">;

/** A tenant as it is shown, and what is said of it where the pointer rests. */
export interface TenantName {
  readonly name: string;
  readonly whole: string;
}

/**
 * What people call the tenant of a session: the folder that the agent worked in, where the session recorded one. Of several sources
 * the tenant id begins with a key, which the source's own name says already.
 */
export function tenantName({ tenantId, directory, source }: Named): TenantName {
  const folder = directory?.split(/[/\\]/).findLast((name) => name !== "");
  if (directory !== undefined && folder !== undefined) return { name: folder, whole: directory };
  const name = source === undefined ? tenantId : tenantId.slice(tenantId.indexOf(":") + 1);
  return { name, whole: tenantId };
}

/** A tenant to choose: two of the same name are told apart by the whole of it. */
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
