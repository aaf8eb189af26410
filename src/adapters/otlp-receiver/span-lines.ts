import type { TenantScope } from "../../application/sources/scope.js";
import { BOUND_TENANT } from "../../domain/spans/bound-tenant.js";
import { RefusedRequest } from "./refused-request.js";

export interface DecodedSpans {
  readonly lines: Uint8Array;
  readonly spans: number;
  readonly rejected: number;
  readonly message: string;
}

/** Bounds resources, scopes and spans per request: an empty one costs its sender two bytes, and costs time here. */
export const MAX_PARTS = 100_000;

export class SpanLines {
  readonly #begins: LineBegins;
  readonly #maxBytes: number;
  readonly #reasons = new Set<string>();
  #buffer: Buffer;
  #length = 0;
  #spans = 0;
  #rejected = 0;
  #parts = 0;

  constructor(maxBytes: number, likelyBytes: number, tenants: TenantScope) {
    this.#begins = new LineBegins(tenants);
    this.#maxBytes = maxBytes;
    this.#buffer = Buffer.allocUnsafeSlow(Math.min(maxBytes, likelyBytes));
  }

  /** @throws RefusedRequest for one too many */
  countPart(): void {
    if (++this.#parts <= MAX_PARTS) return;
    throw new RefusedRequest(
      413,
      `A request has at most ${MAX_PARTS} resources, scopes and spans together. Send fewer spans at a time.`,
    );
  }

  /**
   * Adds a span, unless its sender may not write to its tenant.
   * @param tenantOf the tenant that the span states, if that counts
   * @param parts the line from its resource on, as JSON text without line feeds
   */
  add(tenantOf: () => string | undefined, parts: readonly (Uint8Array | string)[]): void {
    const begin = this.#begins.of(tenantOf);
    if (begin === undefined) return this.reject(OTHER_TENANT);
    this.#write(begin);
    for (const part of parts) this.#write(part);
    this.#write(LINE_END);
    this.#spans++;
  }

  reject(reason: string): void {
    this.#rejected++;
    this.#reasons.add(reason);
  }

  warn(reason: string): void {
    this.#reasons.add(reason);
  }

  end(): DecodedSpans {
    return {
      // A copy of the exact size: excess memory makes the host's collector run more often.
      lines: new Uint8Array(this.#buffer.buffer.slice(0, this.#length)),
      spans: this.#spans,
      rejected: this.#rejected,
      message: [...this.#reasons].join(" "),
    };
  }

  #write(part: Uint8Array | string): void {
    const bytes = typeof part === "string" ? Buffer.byteLength(part) : part.length;
    const length = this.#length + bytes;
    if (length > this.#maxBytes) {
      throw new RefusedRequest(
        413,
        `A line for each span, with its resource and scope, would take more than ${this.#maxBytes} bytes. Send fewer spans at a time.`,
      );
    }
    if (length > this.#buffer.length) this.#grow(length);
    if (typeof part === "string") this.#buffer.write(part, this.#length);
    else this.#buffer.set(part, this.#length);
    this.#length = length;
  }

  #grow(length: number): void {
    const larger = Buffer.allocUnsafeSlow(
      Math.min(Math.max(length, 2 * this.#buffer.length), this.#maxBytes),
    );
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }
}

const LINE_END = Buffer.from("\n");

const OTHER_TENANT =
  "A span is of a tenant that its sender may not write. Name one that it may (tenant.id) on the span or its resource.";

/**
 * Starts of lines, with the tenant that the span is bound to. A sender of one tenant cannot choose another; for a sender of all tenants,
 * the reader decides later.
 */
class LineBegins {
  readonly #all: Buffer | undefined;
  readonly #begins: ReadonlyMap<string, Buffer>;

  constructor(tenants: TenantScope) {
    const named = tenants === "all" ? [] : [...new Set(tenants)];
    this.#begins = new Map(named.map((tenantId) => [tenantId, lineBegin(tenantId)]));
    const [first] = this.#begins.values();
    this.#all = tenants === "all" ? lineBegin(undefined) : named.length === 1 ? first : undefined;
  }

  of(tenantOf: () => string | undefined): Buffer | undefined {
    return this.#all ?? this.#begins.get(tenantOf() ?? "default");
  }
}

function lineBegin(tenantId: string | undefined): Buffer {
  const tenant = tenantId === undefined ? "" : `"${BOUND_TENANT}":${JSON.stringify(tenantId)},`;
  return Buffer.from(`{${tenant}"resourceSpans":[`);
}

export const TRACE_ID_DIGITS = 32;
export const SPAN_ID_DIGITS = 16;

export const INVALID_IDS =
  "A span needs a traceId of 16 bytes and a spanId of 8, neither of them all zeros; in JSON they are hexadecimal.";

export function isValidId(id: string | undefined, digits: number): boolean {
  return id !== undefined && id.length === digits && /^[\da-f]+$/i.test(id) && !/^0+$/.test(id);
}
