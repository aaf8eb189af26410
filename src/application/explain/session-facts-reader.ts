import type { SessionFacts } from "../../domain/facts/session-facts.js";
import type { ListedSession } from "../../domain/usage/model-usage.js";
import { faultText, SourceUnavailableError } from "../errors.js";
import type { ReadOptions, RecordWarning } from "../ports/record-stream.js";
import type { SessionSource } from "../ports/session-source.js";
import { AnalysisReader } from "./analysis-reader.js";

/** About how much memory facts may take, in bytes: of sessions beyond that nobody knows them. */
const MOST_BYTES = 128 * 1024 * 1024;

/** Sessions with what they did, as far as it is known. */
export interface SessionsWithFacts {
  readonly items: readonly ListedSession[];
  /** Of how many sessions it will be known when it is asked again. */
  readonly unread: number;
  /** Why nothing is known of some: at most `MOST_WARNINGS` are named. */
  readonly warnings: readonly RecordWarning[];
}

const MOST_WARNINGS = 20;

interface KeptFacts {
  readonly identity: string;
  /** `undefined` of a session that cannot be read, or is gone. */
  readonly facts: SessionFacts | undefined;
  /** Why it cannot be read. */
  readonly fault?: string;
  readonly bytes: number;
}

/**
 * Finds out what sessions did whose source does not tell: each is read once, and again when it went on. Only a source on this machine is read,
 * where that takes nothing from others; what a store over a network would have to send for it is far more than what is asked.
 */
export class SessionFactsReader {
  readonly #reader: AnalysisReader;
  readonly #kept = new Map<string, KeptFacts>();
  #bytes = 0;

  /** @param reader default reads on the host's own event loop, in slices */
  constructor(reader = new AnalysisReader()) {
    this.#reader = reader;
  }

  /**
   * @param sessions in the order in which they are read
   * @param budgetMs after about so many milliseconds it gives what it knows; at least one session is read
   */
  async withFacts(
    source: SessionSource,
    sessions: readonly ListedSession[],
    budgetMs: number,
    options: ReadOptions,
  ): Promise<SessionsWithFacts> {
    const until = performance.now() + budgetMs;
    const isReadHere = source.capabilities.concurrentReads === Number.POSITIVE_INFINITY;
    const items: ListedSession[] = [];
    let unread = 0;
    let hasRead = false;
    const warnings: RecordWarning[] = [];
    for (const session of sessions) {
      if (session.facts !== undefined || !isReadHere) {
        items.push(session);
        continue;
      }
      const identity = identityOf(session);
      let kept = this.#kept.get(keyOf(session));
      if (kept?.identity !== identity && this.#bytes < MOST_BYTES) {
        if (hasRead && performance.now() >= until) unread++;
        else {
          kept = await this.#read(source, session, identity, options);
          hasRead = true;
        }
      }
      const facts = kept?.identity === identity ? kept.facts : undefined;
      items.push(facts === undefined ? session : { ...session, facts });
      if (kept?.fault !== undefined && warnings.length < MOST_WARNINGS)
        warnings.push({ file: `${session.tenantId}/${session.sessionId}`, line: 1, reason: kept.fault });
    }
    return { items, unread, warnings };
  }

  async #read(
    source: SessionSource,
    session: ListedSession,
    identity: string,
    options: ReadOptions,
  ): Promise<KeptFacts> {
    const read = await this.#factsOf(source, session, options);
    const key = keyOf(session);
    const kept = { ...read, identity, bytes: read.facts === undefined ? 0 : bytesOf(read.facts) };
    if (read.isPassing) return kept;
    this.#bytes += kept.bytes - (this.#kept.get(key)?.bytes ?? 0);
    this.#kept.set(key, kept);
    return kept;
  }

  /** A session that cannot be read costs no other one its facts: it is counted as one without them, with a warning. */
  async #factsOf(
    source: SessionSource,
    { tenantId, sessionId }: ListedSession,
    options: ReadOptions,
  ): Promise<Pick<KeptFacts, "facts" | "fault"> & { readonly isPassing?: boolean }> {
    try {
      const opened = await source.openSession(tenantId, sessionId, options);
      if (opened === undefined) return { facts: undefined };
      const key = { tenantId, sessionId };
      return { facts: await this.#reader.readFacts({ session: opened, key }, options) };
    } catch (error) {
      options.signal?.throwIfAborted();
      const fault = `What it did cannot be read (${faultText(error)}).`;
      return { facts: undefined, fault, isPassing: error instanceof SourceUnavailableError };
    }
  }
}

function keyOf({ tenantId, sessionId }: ListedSession): string {
  return `${tenantId}\0${sessionId}`;
}

/** What is another one whenever a session went on. */
function identityOf({ lastActive, turns, tokens, status, errors }: ListedSession): string {
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
