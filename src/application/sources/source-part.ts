import { compareText } from "../../domain/lists/compare-text.js";
import type { OptionTable } from "../../domain/options/check-options.js";
import { tellHost } from "../../domain/options/host-functions.js";
import { FUNCTION, MAX_TIMEOUT_MS, required, TEXT, TIMEOUT_MS } from "../../domain/options/option-kinds.js";
import type { SessionSortKey } from "../../domain/session/session.js";
import { InvalidRequestError, SourceUnavailableError } from "../errors.js";
import { DATA_SOURCE, type InspectorDataSource, type SessionSearch } from "../ports/inspector-data-source.js";
import type { ReadOptions } from "../ports/record-stream.js";
import type { SessionSource } from "../ports/session-source.js";
import { lift } from "./lift.js";

export interface NamedSource {
  /**
   * Prefix of its tenant ids, `<key>:<tenantId>`, and so part of their addresses: it must be the same after each start. Small letters,
   * digits and hyphens.
   */
  readonly key: string;
  /** Display name: `source` of its sessions. Default is the key. */
  readonly name?: string | undefined;
  readonly source: InspectorDataSource;
}

export const NAMED_SOURCE = {
  key: required(TEXT),
  name: TEXT,
  source: required(DATA_SOURCE),
} satisfies OptionTable<NamedSource>;

export interface CombineOptions {
  /**
   * Maximum wait of an answer for this source, in milliseconds, from 1 to 2147483647. A slower source is omitted until it answers, and is
   * stopped after ten times as long. Default is 10,000.
   */
  readonly timeoutMs?: number | undefined;
  /** Called with every failure of a source that an answer omitted. */
  readonly onError?: ((error: unknown, source: { readonly key: string }) => void) | undefined;
}

export const COMBINE_OPTIONS = {
  timeoutMs: TIMEOUT_MS,
  onError: FUNCTION,
} satisfies OptionTable<CombineOptions>;

/** `reason` is a sentence without secrets and paths. */
export type PartAnswer<T> = SourceValue<T> | (Of & { readonly error: unknown; readonly reason: string });

export type SourceValue<T> = Of & { readonly value: T };

interface Of {
  readonly part: SourcePart;
}

export const SOURCE_KEY = /^[a-z\d]+(?:-[a-z\d]+)*$/;

/** Sorts after every tenant id: no file system has a name of that length. */
const LAST_TENANT = "\uffff".repeat(300);

/** Multiple of the timeout, so that a long first reading can end. */
const STOPPED_AFTER = 10;

/** Translates tenant ids of one source, and isolates its failures: a failing or silent source affects only its own part of the answer. */
export class SourcePart {
  readonly key: string;
  readonly name: string;
  readonly source: SessionSource;
  /** Begins at a random number, so that two processes are unlikely to have the same. */
  failures = Math.floor(Math.random() * 2 ** 40);
  readonly #prefix: string;
  readonly #timeoutMs: number;
  readonly #onError: NonNullable<CombineOptions["onError"]>;
  readonly #close: () => Promise<void> | undefined;
  /** Abandoned calls, by kind: until they end, no other call of the kind is awaited. */
  readonly #late = new Map<string, AbortController>();

  /** @throws TypeError for an invalid key */
  constructor(
    { key, name = key, source }: NamedSource,
    { timeoutMs = 10_000, onError = () => undefined }: CombineOptions,
  ) {
    if (!SOURCE_KEY.test(key)) {
      throw new TypeError(`"${key}" is no key of a source: use small letters, digits and hyphens.`);
    }
    this.key = key;
    this.name = name;
    this.source = lift(source);
    this.#prefix = `${key}:`;
    this.#timeoutMs = timeoutMs;
    this.#onError = onError;
    this.#close = () => source.close?.();
  }

  outside(tenantId: string): string {
    return this.#prefix + tenantId;
  }

  inside(tenantId: string): string | undefined {
    return tenantId.startsWith(this.#prefix) ? tenantId.slice(this.#prefix.length) || undefined : undefined;
  }

  narrowed<Search extends Pick<SessionSearch, "tenants"> & { readonly tenantId?: string | undefined }>(
    search: Search,
  ): Search | undefined {
    const tenantId = search.tenantId === undefined ? undefined : this.inside(search.tenantId);
    const tenants = search.tenants?.flatMap((tenant) => this.inside(tenant) ?? []);
    const isOther = (search.tenantId !== undefined && tenantId === undefined) || tenants?.length === 0;
    return isOther ? undefined : { ...search, tenantId, tenants };
  }

  /** A position of another part's tenant becomes one before or after all sessions of its instant. */
  placeInside({ lastActive, tenantId, sessionId }: SessionSortKey): SessionSortKey {
    const own = this.inside(tenantId);
    if (own !== undefined) return { lastActive, tenantId: own, sessionId };
    const isBehind = compareText(this.#prefix, tenantId) > 0;
    return { lastActive, tenantId: isBehind ? "" : LAST_TENANT, sessionId: "" };
  }

  /**
   * @throws the reason of the caller's signal
   * @throws InvalidRequestError from the part
   */
  async ask<T>(
    call: "list" | "search" | "revision" | "survey",
    work: (options: ReadOptions) => Promise<T>,
    { signal }: ReadOptions = {},
  ): Promise<PartAnswer<T>> {
    const isLate = this.#late.has(call);
    try {
      signal?.throwIfAborted();
      if (isLate) throw new TimeIsOver();
      return { part: this, value: await this.#inTime(call, work, signal) };
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof InvalidRequestError) throw error;
      this.failures++;
      if (!isLate) tellHost(() => this.#onError(error, { key: this.key }));
      return { part: this, error, reason: `${this.name} ${reasonOf(error)}` };
    }
  }

  async close(): Promise<void> {
    for (const stop of this.#late.values()) stop.abort(new TimeIsOver());
    await this.#close();
  }

  async #inTime<T>(
    call: string,
    work: (options: ReadOptions) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const stop = new AbortController();
    const leave = () => stop.abort(signal?.reason);
    // Node warns of many listeners of one signal, and there may be many sources.
    const client = signal && AbortSignal.any([signal]);
    client?.addEventListener("abort", leave, { once: true });
    const reading = work({ signal: stop.signal });
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<never>((_, reject) => {
      stop.signal.addEventListener("abort", () => reject(stop.signal.reason), { once: true });
      timer = setTimeout(() => reject(new TimeIsOver()), this.#timeoutMs);
    });
    try {
      return await Promise.race([reading, over]);
    } catch (error) {
      if (error instanceof TimeIsOver) this.#leaveRunning(call, reading, stop);
      throw error;
    } finally {
      clearTimeout(timer);
      client?.removeEventListener("abort", leave);
    }
  }

  #leaveRunning(call: string, reading: Promise<unknown>, stop: AbortController): void {
    this.#late.set(call, stop);
    const stoppedAfterMs = Math.min(this.#timeoutMs * STOPPED_AFTER, MAX_TIMEOUT_MS);
    const timer = setTimeout(() => stop.abort(new TimeIsOver()), stoppedAfterMs);
    timer.unref?.(); // In browser-like runtimes it is a number.
    const end = () => {
      clearTimeout(timer);
      if (this.#late.get(call) === stop) this.#late.delete(call);
    };
    stop.signal.addEventListener("abort", end, { once: true });
    reading.then(end, end);
  }
}

export function sumOf(counts: readonly (number | undefined)[]): number | undefined {
  return counts.reduce<number | undefined>(
    (sum, count) => (sum === undefined || count === undefined ? undefined : sum + count),
    0,
  );
}

class TimeIsOver extends SourceUnavailableError {
  constructor() {
    super("The data source did not answer in time.");
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof TimeIsOver) return "did not answer in time.";
  return error instanceof SourceUnavailableError
    ? `cannot be read just now: ${error.message}`
    : "could not be read.";
}
