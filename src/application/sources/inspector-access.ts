import { longFingerprint } from "../../domain/text/fingerprints.js";

/**
 * Whose sessions may be seen: `"all"`, or those of the tenants that are named. Tenant ids are compared exactly, capitals
 * included; an empty list sees nothing. `"default"` is the tenant of a request that names none.
 */
export type TenantScope = "all" | readonly string[];

/** What a caller may see. */
export interface InspectorAccess {
  readonly tenants: TenantScope;
}

/** @throws TypeError for what is no scope, so that a mistake shows nothing rather than everything */
export function checkScope(tenants: unknown): asserts tenants is TenantScope {
  const isList = Array.isArray(tenants) && tenants.every((tenant) => typeof tenant === "string");
  if (tenants !== "all" && !isList) {
    throw new TypeError('tenants must be "all" or an array of tenant ids.');
  }
}

/** A revision that no other scope has: what is unchanged for one caller says nothing to another. */
export function revisionInScope(tenants: TenantScope, revision: string): string {
  if (tenants === "all") return revision;
  return `${longFingerprint(JSON.stringify([...new Set(tenants)].sort()))}.${revision}`;
}
