import { SourceUnavailableError } from "../../src/application/errors.js";
import type { SessionStore, StoreCallOptions } from "../../src/application/ports/session-store.js";
import type { SessionKey } from "../../src/domain/session/session-key.js";

export interface Delay {
  /** Turns of the event loop before the call and before its answer. */
  readonly before: number;
  readonly after: number;
  /** The store fails before the write, or before the answer. */
  readonly isAway?: "before" | "after" | undefined;
}

interface Line {
  last: Promise<unknown>;
  waiting: number;
  isAway: boolean;
}

type Method = (...given: unknown[]) => Promise<unknown>;

/**
 * A slow store. It stores calls in their order, rejects the calls that wait after a failure, and answers in any order.
 * @param next the delay of the next call
 */
export function delayedStore(inner: SessionStore, next: () => Delay): SessionStore {
  const lines = new Map<string, Line>();
  const stored = new Set<string>();
  const call = (method: Method, given: readonly unknown[]): Promise<unknown> => {
    const { before, after, isAway } = next();
    const { tenantId, sessionId } = given[0] as SessionKey;
    const name = `${tenantId}/${sessionId}`;
    const line = lines.get(name) ?? { last: Promise.resolve(), waiting: 0, isAway: false };
    lines.set(name, line);
    const copied = structuredClone(given);
    const { callId } = (given.at(-1) ?? {}) as StoreCallOptions;
    const store = async () => {
      await turns(before);
      if (line.isAway || isAway === "before") return leave(line);
      const answer = callId !== undefined && stored.has(callId) ? undefined : await method(...copied);
      if (callId !== undefined && answer === undefined) stored.add(callId);
      return isAway === "after" ? leave(line) : answer;
    };
    line.waiting++;
    const result = line.last.then(store).finally(() => {
      if (--line.waiting === 0) line.isAway = false;
    });
    line.last = result.catch(() => undefined);
    const answered = result.finally(() => turns(after));
    return answered;
  };
  return new Proxy(inner, {
    get(target, name: keyof SessionStore) {
      const method = target[name];
      if (typeof method !== "function" || name === "close") return method;
      return (...given: unknown[]) => call((method as Method).bind(target), given);
    },
  });
}

function leave(line: Line): never {
  line.isAway = true;
  throw new SourceUnavailableError("The store is away.");
}

export async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise(setImmediate);
}
