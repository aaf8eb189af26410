import type { SessionFacts } from "../../domain/facts/session-facts.js";
import type { ListedSession } from "../../domain/session/model-usage.js";
import { keyText } from "../../domain/session/session-key.js";
import { AnalysisReader } from "../analysis/analysis-reader.js";
import { faultText, SourceUnavailableError } from "../errors.js";
import type { ReadOptions, RecordWarning } from "../ports/record-stream.js";
import { isLocal, type SessionSource } from "../ports/session-source.js";
import { settledBy } from "../threads/settled-by.js";

/** Approximate bytes of facts; sessions beyond that have none. */
const MOST_BYTES = 128 * 1024 * 1024;

export interface SessionsWithFacts {
  readonly items: readonly ListedSession[];
  readonly unread: number;
  readonly warnings: readonly RecordWarning[];
}

const MOST_WARNINGS = 20;

interface CachedFacts {
  readonly identity: string;
  readonly facts: SessionFacts | undefined;
  readonly fault?: string;
  readonly bytes: number;
  readonly readAt: number;
  readonly tookMs: number;
}

/** A growing session is read again after this multiple of its reading time, at least after `ms`. */
const READ_AGAIN = { times: 20, ms: 10_000 };

/**
 * Facts of sessions whose source has none; each is read again after it grows. Only a local source is read, because a store over a network
 * would send far more than the answer needs.
 */
export class SessionFactsReader {
  readonly #reader: AnalysisReader;
  readonly #cached = new Map<string, CachedFacts>();
  #bytes = 0;
  #reading: Promise<void> | undefined;

  constructor(reader = new AnalysisReader()) {
    this.#reader = reader;
  }

  /**
   * @param sessions in reading order
   * @param budgetMs approximate time limit; the current session is still read to its end
   */
  async withFacts(
    source: SessionSource,
    sessions: readonly ListedSession[],
    budgetMs: number,
    { signal }: ReadOptions,
  ): Promise<SessionsWithFacts> {
    const until = performance.now() + budgetMs;
    const isReadHere = isLocal(source);
    const items: ListedSession[] = [];
    const warnings: RecordWarning[] = [];
    let unread = 0;
    for (const session of sessions) {
      if (session.facts !== undefined || !isReadHere) {
        items.push(session);
        continue;
      }
      const cached = this.#cached.get(keyText(session));
      const isWanted = this.#bytes < MOST_BYTES && isDue(cached, identityOf(session));
      const facts = (isWanted ? await this.#readUntil(until, source, session, signal) : undefined) ?? cached;
      if (facts === undefined && isWanted) unread++;
      items.push(facts?.facts === undefined ? session : { ...session, facts: facts.facts });
      if (facts?.fault !== undefined && warnings.length < MOST_WARNINGS)
        warnings.push({ file: `${session.tenantId}/${session.sessionId}`, line: 1, reason: facts.fault });
    }
    return { items, unread, warnings };
  }

  /** One session at a time for all callers, so that a leaving caller ends no long reading. */
  async #readUntil(
    until: number,
    source: SessionSource,
    session: ListedSession,
    signal: AbortSignal | undefined,
  ): Promise<CachedFacts | undefined> {
    while (this.#reading !== undefined) {
      if (!(await settledBy(until, this.#reading, signal))) return undefined;
      const read = this.#cached.get(keyText(session));
      if (!isDue(read, identityOf(session))) return read;
    }
    if (performance.now() >= until) return undefined;
    const reading = this.#read(source, session);
    const settled = reading.then(() => {
      this.#reading = undefined;
    });
    this.#reading = settled;
    return (await settledBy(until, settled, signal)) ? await reading : undefined;
  }

  /** Never rejects. */
  async #read(source: SessionSource, session: ListedSession): Promise<CachedFacts> {
    const begun = performance.now();
    const { isPassing, ...read } = await this.#factsOf(source, session);
    const readAt = performance.now();
    const bytes = read.facts === undefined ? 0 : bytesOf(read.facts);
    const facts = { ...read, identity: identityOf(session), bytes, readAt, tookMs: readAt - begun };
    if (isPassing) return facts;
    const key = keyText(session);
    this.#bytes += bytes - (this.#cached.get(key)?.bytes ?? 0);
    this.#cached.set(key, facts);
    return facts;
  }

  /** An unreadable session affects no other one: it has a warning instead of facts. */
  async #factsOf(
    source: SessionSource,
    { tenantId, sessionId }: ListedSession,
  ): Promise<Pick<CachedFacts, "facts" | "fault"> & { readonly isPassing?: boolean }> {
    try {
      const opened = await source.openSession(tenantId, sessionId);
      if (opened === undefined) return { facts: undefined };
      const key = { tenantId, sessionId };
      return { facts: await this.#reader.readFacts({ session: opened, key }) };
    } catch (error) {
      const fault = `What it did cannot be read (${faultText(error)}).`;
      return { facts: undefined, fault, isPassing: error instanceof SourceUnavailableError };
    }
  }
}

function isDue(facts: CachedFacts | undefined, identity: string): boolean {
  if (facts === undefined) return true;
  const pauseMs = Math.max(READ_AGAIN.ms, READ_AGAIN.times * facts.tookMs);
  return facts.identity !== identity && performance.now() - facts.readAt >= pauseMs;
}

/** Changes whenever the session grows. */
export function identityOf({ lastActive, turns, tokens, status, errors }: ListedSession): string {
  return `${lastActive} ${turns} ${tokens} ${status} ${errors}`;
}

function bytesOf(facts: SessionFacts): number {
  const columns = [
    facts.usage,
    facts.toolUse,
    facts.durations,
    facts.carried,
    facts.failures,
    facts.activity,
  ];
  const numbers = columns.flatMap((one) => Object.values(one)).reduce((sum, { length }) => sum + length, 0);
  const texts = [...facts.tools, ...facts.roles, ...facts.causes, ...facts.edited, ...facts.read];
  return 1_000 + numbers * 8 + texts.reduce((sum, text) => sum + 50 + text.length * 2, 0);
}
