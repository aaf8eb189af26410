import { createHash } from "node:crypto";
import type { JsonObject } from "../../domain/json/json.js";
import type { RecordedSpan } from "../spans/recorded-span.js";

/** Ownership that a span states. */
export interface TenantClaim {
  /** The tenant that its sender is bound to, otherwise the tenant that it names. It applies whatever other spans state. */
  readonly tenantId: string | undefined;
  /** The same for all spans of one process: a digest of its resource; empty for what is bound, which no other span follows. */
  readonly process: string;
  /** True if its parent is in the same process, if its writer records that. */
  readonly isParentLocal: boolean | undefined;
}

/** Data of a trace's span that decides its tenant. */
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
   * @param namedTenantId the tenant that the span, or its process, names explicitly
   * @param boundTenant the tenant that its sender is bound to
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
 * Returns the tenants that spans of a trace name, or that a parent names for them. A span without a tenant follows its parent if no other
 * sender can have written that parent. This means that the parent came with the same resource. It also came in the same request, unless
 * the span states that its parent is in its own process. If several tenants claim the parent, the span does not follow it.
 *
 * @returns a tenant for each span, in their order; `undefined` for a span without a tenant
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
