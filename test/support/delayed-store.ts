import { SourceUnavailableError } from "../../src/application/errors.js";
import type {
  SessionKey,
  SessionStore,
  StoreCallOptions,
} from "../../src/application/ports/session-store.js";

/** What a store does with a call, beside storing it. */
export interface Delay {
  /** How many turns of the event loop the call takes, and then its answer. */
  readonly before: number;
  readonly after: number;
  /** Whether the store is away: before it stores anything, or before it answers. */
  readonly isAway?: "before" | "after" | undefined;
}

/** The calls of one session that are not done. */
interface Line {
  last: Promise<unknown>;
  waiting: number;
  isAway: boolean;
}

type Method = (...given: unknown[]) => Promise<unknown>;

/**
 * A store whose calls and answers take a while each. It fulfils the port: it stores calls in their order, and rejects the calls that wait after one
 * that it could not store. Its answers come in any order.
 *
 * @param next how long the next call takes
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
