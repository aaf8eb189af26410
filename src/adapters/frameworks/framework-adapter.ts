import { CUT_OFF, countOf, isJsonObject, labelOf, MOST_LEVELS } from "../../domain/json/json.js";
import { checkOptions, type OptionTable } from "../../domain/options/check-options.js";
import { FUNCTION } from "../../domain/options/option-kinds.js";
import type { TokenClass, TokenUsage } from "../../domain/session/session.js";
import { identityOf } from "../../recording/open-span.js";
import type { RunRecorder } from "../../recording/run-recorder.js";
import type { RunSpanResult, SpanIdentity } from "../../recording/run-span.js";

export interface FrameworkOptions {
  /** Whose a run is; asked as each one starts, in the context that it starts in. What it does not say is taken from what the framework tells. */
  readonly identify?: (() => SpanIdentity | undefined) | undefined;
}

const FRAMEWORK_OPTIONS = { identify: FUNCTION } satisfies OptionTable<FrameworkOptions>;

/** What the adapters of all frameworks have in common: nothing that goes wrong in them reaches the agent. */
export class FrameworkAdapter {
  readonly recorder: RunRecorder;
  readonly #framework: string;
  readonly #identify: FrameworkOptions["identify"];

  /** @throws TypeError for an option that there is not, or whose value is of another kind */
  constructor(framework: string, recorder: RunRecorder, options: FrameworkOptions) {
    checkOptions(FRAMEWORK_OPTIONS, options);
    this.#framework = framework;
    this.recorder = recorder;
    this.#identify = options.identify;
  }

  /** Does what a framework's call asks for; what it throws is reported. */
  safely(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.recorder.report(`read what ${this.#framework} told`, error);
    }
  }

  /** @param told what the framework tells of it */
  identityOf(told: SpanIdentity): SpanIdentity {
    let own: SpanIdentity | undefined;
    try {
      own = this.#identify?.();
    } catch (error) {
      this.recorder.report("identify a run", error);
    }
    return { ...identityOf(told), ...identityOf(own ?? {}) };
  }
}

/** Adds to a map that holds at most so many; of more, the oldest is given up. */
export function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > MOST_REMEMBERED) map.delete(map.keys().next().value!);
}

const MOST_REMEMBERED = 10_000;

/**
 * A value of the agent's process as JSON can hold it: a copy, which does not change when the agent goes on. Bytes become base64, an error
 * its name and message; what JSON has no form for is left out, what holds itself is told once, and what is nested too deep is cut off.
 */
export function jsonOf(value: unknown, around: readonly object[] = []): unknown {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (typeof value !== "object" || value === null) return value;
  if (around.includes(value)) return undefined;
  if (around.length === MOST_LEVELS) return CUT_OFF;
  const within = [...around, value];
  if (value instanceof ArrayBuffer) return base64(new Uint8Array(value));
  if (ArrayBuffer.isView(value)) {
    return base64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  }
  if (value instanceof Error) return { name: value.name, message: value.message };
  if (value instanceof Map) return [...value].map((entry) => jsonOf(entry, within));
  if (Array.isArray(value) || value instanceof Set)
    return [...value].map((entry) => jsonOf(entry, within) ?? null);
  if ("toJSON" in value && typeof value.toJSON === "function") return jsonOf(value.toJSON(), within);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, jsonOf(member, within)]));
}

const CHUNK = 0x8000;

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += CHUNK) text += String.fromCharCode(...bytes.subarray(i, i + CHUNK));
  return btoa(text);
}

/** What was thrown, whatever it is. */
export function errorOf(thrown: unknown): NonNullable<RunSpanResult["error"]> {
  if (!isJsonObject(thrown)) return { message: labelOf(thrown) ?? "failed" };
  const type = labelOf(thrown.name);
  return { message: labelOf(thrown.message) ?? type ?? "failed", type };
}

/** Tokens of which the input includes what a cache served and took, as all frameworks tell them. */
export function tokensOf(told: { readonly [Class in TokenClass]: unknown }): TokenUsage {
  const input = countOf(told.inputTokens);
  const cacheReadTokens = countOf(told.cacheReadTokens);
  const cacheWriteTokens = countOf(told.cacheWriteTokens);
  const cached = cacheReadTokens + cacheWriteTokens;
  return {
    // What is more than the input cannot be a part of it.
    inputTokens: cached > input ? input : input - cached,
    outputTokens: countOf(told.outputTokens),
    cacheReadTokens,
    cacheWriteTokens,
  };
}

/** Whose a run is, in what a framework hands on of its user's. */
export function identityIn(told: unknown): SpanIdentity {
  if (!isJsonObject(told)) return {};
  return {
    tenantId: labelOf(told.tenantId),
    sessionId: labelOf(told.sessionId),
    userId: labelOf(told.userId),
  };
}
