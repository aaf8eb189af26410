import type { OptionTable } from "../../domain/options/check-options.js";
import { required, TEXT } from "../../domain/options/option-kinds.js";
import type { SessionPlace } from "../../domain/session/session.js";
import { compareText } from "../../domain/session/session.js";
import {
  DATA_SOURCE,
  type InspectorDataSource,
  type SessionPage,
  type SessionSearch,
} from "../ports/inspector-data-source.js";
import type { ReadOptions } from "../ports/record-stream.js";
import { findSessions } from "./select-sessions.js";

/** A source that is to be shown together with others. */
export interface NamedSource {
  /**
   * Begins the tenant ids of its sessions, `<key>:<tenantId>`, and with them their addresses: it has to be the same after each
   * start. Small letters, digits and hyphens.
   */
  readonly key: string;
  /** What people call it: `source` of its sessions. Default is the key. */
  readonly name?: string | undefined;
  readonly source: InspectorDataSource;
}

export const NAMED_SOURCE = {
  key: required(TEXT),
  name: TEXT,
  source: required(DATA_SOURCE),
} satisfies OptionTable<NamedSource>;

const KEY = /^[a-z\d]+(?:-[a-z\d]+)*$/;

/** Behind every tenant id: no file system has a name of that length. */
const LAST_TENANT = "\uffff".repeat(300);

/** One source of a combination, and how its tenant ids are written in the combination and in itself. */
export class SourcePart {
  readonly key: string;
  readonly name: string;
  readonly source: InspectorDataSource;
  readonly #prefix: string;

  /** @throws TypeError for a key that is none */
  constructor({ key, name = key, source }: NamedSource) {
    if (!KEY.test(key)) {
      throw new TypeError(`"${key}" is no key of a source: use small letters, digits and hyphens.`);
    }
    this.key = key;
    this.name = name;
    this.source = source;
    this.#prefix = `${key}:`;
  }

  outside(tenantId: string): string {
    return this.#prefix + tenantId;
  }

  /** `undefined` for a tenant of another part. */
  inside(tenantId: string): string | undefined {
    return tenantId.startsWith(this.#prefix) ? tenantId.slice(this.#prefix.length) || undefined : undefined;
  }

  /** A search in the part's own words; `undefined` where it asks for tenants of other parts alone. */
  narrowed<Search extends Pick<SessionSearch, "tenantId" | "tenants">>(search: Search): Search | undefined {
    const tenantId = search.tenantId === undefined ? undefined : this.inside(search.tenantId);
    const tenants = search.tenants?.flatMap((tenant) => this.inside(tenant) ?? []);
    const isOther = (search.tenantId !== undefined && tenantId === undefined) || tenants?.length === 0;
    return isOther ? undefined : { ...search, tenantId, tenants };
  }

  /** The part of a page of the whole list: no more is read for it than for a page of this source alone. */
  async find(search: SessionSearch, options: ReadOptions): Promise<SessionPage> {
    const after = search.after && this.#placeInside(search.after);
    return findSessions(this.source, { ...search, after }, options);
  }

  /** The same place in the part's own list. Of another part's tenant, it lies before or behind all that share its instant. */
  #placeInside({ lastActive, tenantId, sessionId }: SessionPlace): SessionPlace {
    const own = this.inside(tenantId);
    if (own !== undefined) return { lastActive, tenantId: own, sessionId };
    const isBehind = compareText(this.#prefix, tenantId) > 0;
    return { lastActive, tenantId: isBehind ? "" : LAST_TENANT, sessionId: "" };
  }
}

/** `undefined` where one of them is not known. */
export function sumOf(counts: readonly (number | undefined)[]): number | undefined {
  return counts.reduce<number | undefined>(
    (sum, count) => (sum === undefined || count === undefined ? undefined : sum + count),
    0,
  );
}
