import { createHash } from "node:crypto";
import type { JsonObject } from "../../domain/json/json.js";
import type { RecordedSpan } from "../spans/recorded-span.js";

/** What a span says of whose it is. */
export interface TenantClaim {
  /** The tenant that its sender is bound to, else the one that it names: it is this one's, whatever other spans say. */
  readonly tenantId: string | undefined;
  /** The same for all spans of one process: a digest of its resource; empty for what is bound, which no other span follows. */
  readonly process: string;
  /** Whether its parent is of the same process, where its writer says so. */
  readonly isParentLocal: boolean | undefined;
}

/** A span of a trace, as far as it has to be known for that. */
interface ClaimedSpan extends TenantClaim {
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  /** The request that it came in: the same object for all of its spans. */
  readonly place: object;
}

/** Makes the claims of spans. Where those of one process come one after the other, its digest is made once. */
export class TenantClaims {
  #resource: JsonObject | undefined;
  #process = "";

  /**
   * @param namedTenantId the tenant that the span, or its process, names as such
   * @param boundTenant the one that its sender is bound to
   */
  of(span: RecordedSpan, namedTenantId: string | undefined, boundTenant: string | undefined): TenantClaim {
    const { isParentLocal } = span;
    if (boundTenant !== undefined) return { tenantId: boundTenant, process: "", isParentLocal };
    return { tenantId: namedTenantId, process: this.#processOf(span.resource), isParentLocal };
  }

  #processOf(resource: JsonObject): string {
    if (resource !== this.#resource) {
      this.#process = createHash("sha256").update(JSON.stringify(resource)).digest("base64");
      this.#resource = resource;
    }
    return this.#process;
  }
}

const SPANS_PER_PAUSE = 1_000;

/**
 * The tenants that spans of a trace name, or that a parent names for them. A span that names none follows its parent where no stranger
 * can be that one: it came with the same resource, and in the same request, unless the span says that its parent is of its own process.
 * Where several tenants claim that parent, it follows none.
 *
 * @returns for each span, in their order; `undefined` where there is none
 */
export function* tenantsOf(spans: readonly ClaimedSpan[]): Generator<void, readonly (string | undefined)[]> {
  const hasLeader = spans.some(({ tenantId, process }) => tenantId !== undefined && process !== "");
  const hasFollower = spans.some(({ tenantId }) => tenantId === undefined);
  if (!hasLeader || !hasFollower) return spans.map(({ tenantId }) => tenantId);
  const parents = new Parents();
  const followed = new Map<ClaimedSpan, string | undefined>();
  let count = 0;
  for (const span of spans) {
    parents.add(span);
    if (++count % SPANS_PER_PAUSE === 0) yield;
  }
  const tenants: (string | undefined)[] = [];
  for (const span of spans) {
    const way: ClaimedSpan[] = [];
    let at: ClaimedSpan | undefined = span;
    while (at !== undefined && at.tenantId === undefined && !followed.has(at)) {
      followed.set(at, undefined); // where parents form a circle, it ends here
      way.push(at);
      at = parents.of(at);
    }
    const tenant = at === undefined ? undefined : (at.tenantId ?? followed.get(at));
    for (const one of way) followed.set(one, tenant);
    tenants.push(tenant);
    if (++count % SPANS_PER_PAUSE === 0) yield;
  }
  return tenants;
}

class Parents {
  /** By the request that they came in, and of any; then by process and id. `undefined` for what several tenants claim. */
  readonly #spans = new Map<object, Map<string, ClaimedSpan | undefined>>();

  add(span: ClaimedSpan): void {
    for (const request of [span.place, ANY]) {
      const spans = this.#spans.get(request) ?? new Map<string, ClaimedSpan | undefined>();
      this.#spans.set(request, spans);
      const key = keyOf(span, span.spanId);
      const other = spans.has(key) ? spans.get(key) : span;
      spans.set(key, other?.tenantId === span.tenantId ? other : undefined);
    }
  }

  of(span: ClaimedSpan): ClaimedSpan | undefined {
    const { parentSpanId, isParentLocal, place } = span;
    if (parentSpanId === undefined || isParentLocal === false) return undefined;
    return this.#spans.get(isParentLocal === true ? ANY : place)?.get(keyOf(span, parentSpanId));
  }
}

const ANY = {};

const keyOf = ({ process }: ClaimedSpan, spanId: string) => `${process} ${spanId}`;
