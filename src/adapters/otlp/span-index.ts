import type { RecordWarning } from "../../application/ports/record-stream.js";
import { longFingerprint } from "../../domain/text/fingerprints.js";
import { MODIFIED_AT, NUMBERS_PER_IDENTITY, SIZE } from "../files/bytes/file-identities.js";
import type { SpanGroup } from "./span-groups.js";

export interface SpanSessions {
  readonly version: string;
  readonly tenantIds: readonly string[];
  readonly tenants: Uint32Array;
  readonly sessionIds: readonly string[];
  /** For each session the identity as of a file: span count, content sum, bytes, last activity. */
  readonly identities: Float64Array;
  readonly warnings: readonly RecordWarning[];
}

export class SpanIndex {
  readonly version: string;
  readonly warnings: readonly RecordWarning[];
  readonly #groups = new Map<string, Map<string, SpanGroup>>();

  constructor(groups: readonly SpanGroup[], version: string, warnings: readonly RecordWarning[]) {
    this.version = version;
    this.warnings = warnings;
    for (const group of groups) {
      const ofTenant = this.#groups.get(group.tenantId) ?? new Map<string, SpanGroup>();
      this.#groups.set(group.tenantId, ofTenant);
      for (const sessionId of group.sessionIds) ofTenant.set(sessionId, group);
    }
  }

  groupOf(tenantId: string, sessionId: string): SpanGroup | undefined {
    return this.#groups.get(tenantId)?.get(sessionId);
  }

  /** For each tenant in reverse order of the files, because the last sessions are mostly the newest. */
  get sessions(): SpanSessions {
    const { version, warnings } = this;
    const tenantIds = [...this.#groups.keys()];
    let size = 0;
    for (const { size: ofTenant } of this.#groups.values()) size += ofTenant;
    const tenants = new Uint32Array(size);
    const identities = new Float64Array(size * NUMBERS_PER_IDENTITY);
    const sessionIds = new Array<string>(size);
    let at = size;
    for (const [tenant, groups] of [...this.#groups.values()].entries()) {
      for (const [sessionId, group] of groups) {
        at--;
        tenants[at] = tenant;
        sessionIds[at] = sessionId;
        setIdentityOf(group, identities, at * NUMBERS_PER_IDENTITY);
      }
    }
    return { version, tenantIds, tenants, sessionIds, identities, warnings };
  }
}

export function setIdentityOf(group: SpanGroup, identities: Float64Array, at: number): void {
  identities[at] = group.count;
  identities[at + 1] = group.sum;
  identities[at + SIZE] = group.bytes;
  identities[at + MODIFIED_AT] = group.newest;
  identities[at + 4] = Number(group.isOfSteps);
}

/** An ID has no control character. */
export function keyOf({ tenantId, name }: SpanGroup): string {
  return `${tenantId}\0${name}`;
}

export function revisionOf(group: SpanGroup): string {
  return longFingerprint(`${keyOf(group)} ${group.count} ${group.sum} ${group.isOfSteps}`);
}
