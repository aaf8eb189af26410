import type { RecordWarning } from "../../application/ports/record-stream.js";
import { longFingerprint } from "../../domain/text/fingerprints.js";
import { NUMBERS_PER_IDENTITY } from "../files/bytes/file-identities.js";
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
  /** What of the files could not be read. */
  readonly warnings: readonly RecordWarning[];
}

/** What spans there are in some files, as they were when they were read. */
export class SpanIndex {
  readonly version: string;
  /** What of the files could not be read. */
  readonly warnings: readonly RecordWarning[];
  readonly #groups = new Map<string, SpanGroup>();

  constructor(groups: readonly SpanGroup[], version: string, warnings: readonly RecordWarning[]) {
    this.version = version;
    this.warnings = warnings;
    for (const group of groups) {
      const { key, name, tenantId } = group;
      for (const sessionId of group.sessionIds)
        this.#groups.set(sessionId === name ? key : sessionKey(tenantId, sessionId), group);
    }
  }

  /** The spans that a session is made of; `undefined` where none are. */
  groupOf(tenantId: string, sessionId: string): SpanGroup | undefined {
    return this.#groups.get(sessionKey(tenantId, sessionId));
  }

  /** Those whose spans come last in the files are the first: they are mostly the newest. */
  get sessions(): SpanSessions {
    const { version, warnings } = this;
    const size = this.#groups.size;
    const ordinals = new Map<string, number>();
    const tenants = new Uint32Array(size);
    const identities = new Float64Array(size * NUMBERS_PER_IDENTITY);
    const sessionIds = new Array<string>(size);
    let at = size;
    for (const [key, group] of this.#groups) {
      const { tenantId } = group;
      const ordinal = ordinals.get(tenantId) ?? ordinals.size;
      ordinals.set(tenantId, ordinal);
      at--;
      tenants[at] = ordinal;
      identities.set(identityOfGroup(group), at * NUMBERS_PER_IDENTITY);
      sessionIds[at] = key.slice(tenantId.length + 1);
    }
    return { version, tenantIds: [...ordinals.keys()], tenants, sessionIds, identities, warnings };
  }
}

/** No id has a control character. */
function sessionKey(tenantId: string, sessionId: string): string {
  return `${tenantId}\0${sessionId}`;
}

/** A group as a file is identified. */
export function identityOfGroup({ count, sum, bytes, newest, isOfSteps }: SpanGroup): number[] {
  return [count, sum, bytes, newest, Number(isOfSteps)];
}

/** What identifies what is made of a group. */
export function revisionOf({ key, count, sum, isOfSteps }: SpanGroup): string {
  return longFingerprint(`${key} ${count} ${sum} ${isOfSteps}`);
}
