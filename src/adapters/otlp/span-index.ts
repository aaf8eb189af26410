import type { RecordWarning } from "../../application/ports/record-stream.js";
import { longFingerprint } from "../../domain/text/fingerprints.js";
import { MODIFIED_AT, NUMBERS_PER_IDENTITY, SIZE } from "../files/bytes/file-identities.js";
import type { SpanGroup } from "./span-groups.js";

/** The sessions that spans may become: columns, because there may be many. */
export interface SpanSessions {
  /** Another one where other files are there, or the same ones have changed. */
  readonly version: string;
  readonly tenantIds: readonly string[];
  /** Of each session, which of the tenants. */
  readonly tenants: Uint32Array;
  readonly sessionIds: readonly string[];
  /** Of each session as of a file: of its spans how many there are, a sum of what they say, their bytes, when they were active last. */
  readonly identities: Float64Array;
  /** Unreadable parts of the files. */
  readonly warnings: readonly RecordWarning[];
}

/** Index of the spans in some files, as of the time when they were read. */
export class SpanIndex {
  readonly version: string;
  /** Unreadable parts of the files. */
  readonly warnings: readonly RecordWarning[];
  /** By tenant and session. */
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

  /** The spans that a session is made of; `undefined` where none are. */
  groupOf(tenantId: string, sessionId: string): SpanGroup | undefined {
    return this.#groups.get(tenantId)?.get(sessionId);
  }

  /** Of each tenant those whose spans come last in the files first: they are mostly the newest. */
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

/** Writes what identifies a group, as a file is identified. */
export function setIdentityOf(group: SpanGroup, identities: Float64Array, at: number): void {
  identities[at] = group.count;
  identities[at + 1] = group.sum;
  identities[at + SIZE] = group.bytes;
  identities[at + MODIFIED_AT] = group.newest;
  identities[at + 4] = Number(group.isOfSteps);
}

/** No id has a control character. */
export function keyOf({ tenantId, name }: SpanGroup): string {
  return `${tenantId}\0${name}`;
}

/** Returns the revision of everything that is derived from a group. */
export function revisionOf(group: SpanGroup): string {
  return longFingerprint(`${keyOf(group)} ${group.count} ${group.sum} ${group.isOfSteps}`);
}
