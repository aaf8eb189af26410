import { createHash } from "node:crypto";
import type { JsonObject } from "../../domain/json/json.js";
import { isPause } from "../../domain/lists/is-pause.js";
import type { RecordedSpan } from "../spans/recorded-span.js";

export interface TenantClaim {
  /** The tenant that the sender is bound to, otherwise the one that the span names. Other spans do not change it. */
  readonly tenantId: string | undefined;
  /** Digest of the process's resource; empty for a bound sender, whose spans no other span follows. */
  readonly process: string;
  readonly isParentLocal: boolean | undefined;
}

interface ClaimedSpan extends TenantClaim {
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  /** The same object for all spans of one request. */
  readonly place: object;
}

export class TenantClaims {
  #resource: JsonObject | undefined;
  #process = "";

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

/**
 * Returns the tenant of each span. A span without a tenant follows its parent only if no other sender can have written that parent: same
 * resource, and same request unless the parent is in its own process.
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
    if (isPause(++count)) yield;
  }
  const tenants: (string | undefined)[] = [];
  for (const span of spans) {
    const way: ClaimedSpan[] = [];
    let at: ClaimedSpan | undefined = span;
    while (at !== undefined && at.tenantId === undefined && !followed.has(at)) {
      followed.set(at, undefined);
      way.push(at);
      at = parents.of(at);
    }
    const tenant = at === undefined ? undefined : (at.tenantId ?? followed.get(at));
    for (const one of way) followed.set(one, tenant);
    tenants.push(tenant);
    if (isPause(++count)) yield;
  }
  return tenants;
}

class Parents {
  /** By request, then by process and ID. `undefined` if several tenants claim the span. */
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
