import {
  baseName,
  type MatchedPath,
  matchPath,
  type RequestedFile,
} from "../../domain/changes/file-paths.js";
import type { LinesCoverage } from "../../domain/changes/line-explanation.js";
import type { RecordedEdit } from "../../domain/changes/recorded-edits.js";
import { MOST_FILES } from "../../domain/facts/session-facts.js";
import type { SessionFilter } from "../../domain/filter/session-filter.js";
import type { ListedSession } from "../../domain/session/model-usage.js";
import { SourceChangedError, SourceUnavailableError } from "../errors.js";
import type { FilteredSessions } from "../listing/filtered-sessions.js";
import type { ReadOptions } from "../ports/record-stream.js";
import type { SessionSource } from "../ports/session-source.js";
import { onceMore } from "../records/retry-once.js";
import type { SessionEdits } from "./session-edits.js";

export interface SessionEdit extends RecordedEdit {
  readonly session: ListedSession;
}

export interface FileCopy {
  readonly match: MatchedPath["match"];
  readonly edits: readonly SessionEdit[];
}

export interface FileEditsResult {
  readonly copies: readonly FileCopy[];
  readonly coverage: LinesCoverage;
}

export interface EditsSearch {
  readonly tenantId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly filter: SessionFilter;
  readonly file: RequestedFile;
  readonly isPatient: boolean;
}

const AT_ONCE = 4;

/** Time limits in milliseconds; then the current results are returned. */
const BUDGETS = { facts: 300, edits: 1_000 };
const PATIENT_BUDGETS = { facts: 2_000, edits: 2_000 };

/** A store over a network does not list edited files: at most this many of its sessions are read. */
const MOST_UNKNOWN = 20;

const MOST_COPIES = 24;
const MATCHES: readonly MatchedPath["match"][] = ["same", "checkout", "name"];

/**
 * Searches the edits of a file in all sessions: facts select candidates, and only their traces are read. After a time limit it returns
 * the current results, and the next request continues.
 */
export class FileEditsReader {
  readonly #filtered: FilteredSessions;
  readonly #edits: SessionEdits;

  constructor(filtered: FilteredSessions, edits: SessionEdits) {
    this.#filtered = filtered;
    this.#edits = edits;
  }

  async find(
    source: SessionSource,
    { file, isPatient, ...search }: EditsSearch,
    options: ReadOptions,
  ): Promise<FileEditsResult> {
    const names = [...new Set([file.path, ...(file.formerPaths ?? [])].map(baseName))].sort();
    const budgets = isPatient ? PATIENT_BUDGETS : BUDGETS;
    const page = await this.#filtered.find(
      source,
      { ...search, withFacts: true, budgetMs: budgets.facts },
      options,
    );
    const isHere = source.capabilities.concurrentReads === Number.POSITIVE_INFINITY;
    const unknown = page.items.filter(({ facts }) => facts === undefined);
    const isRead = new Set(isHere ? [] : unknown.slice(0, MOST_UNKNOWN));
    const candidates = page.items.filter((session) => isRead.has(session) || mayHaveEdited(session, names));
    const until = performance.now() + budgets.edits;
    const reading = await this.#edits.reading(names);
    const matches: SessionEdit[] = [];
    let [sessions, unread] = [0, page.unread ?? 0];
    const add = (session: ListedSession, edits: readonly RecordedEdit[]) => {
      if (edits.length > 0) sessions++;
      for (const edit of edits) matches.push({ ...edit, session });
    };
    const toRead: ListedSession[] = [];
    for (const session of candidates) {
      const cached = reading.cachedEdits(session);
      if (cached === undefined) toRead.push(session);
      else add(session, cached);
    }
    for (let at = 0; at < toRead.length; at += AT_ONCE) {
      // Reads a few in any case, so that each request makes progress.
      if (at > 0 && performance.now() >= until) {
        unread += toRead.length - at;
        break;
      }
      const some = toRead.slice(at, at + AT_ONCE);
      const read = await Promise.all(some.map((session) => readEdits(source, reading, session, options)));
      for (const [i, edits] of read.entries()) add(some[i]!, edits);
    }
    await reading.end();
    const undecided = page.undecided + (isHere ? 0 : unknown.length - isRead.size);
    return {
      copies: copiesOf(matches, file),
      coverage: { sessions, edits: matches.length, unread, undecided },
    };
  }
}

/** An unreadable session affects no other one. */
async function readEdits(
  source: SessionSource,
  reading: Awaited<ReturnType<SessionEdits["reading"]>>,
  session: ListedSession,
  options: ReadOptions,
): Promise<readonly RecordedEdit[]> {
  try {
    return await onceMore(async () => {
      const opened = await source.openSession(session.tenantId, session.sessionId, options);
      return opened === undefined ? [] : await reading.read(opened, session, options);
    });
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof SourceChangedError || error instanceof SourceUnavailableError) return [];
    throw error;
  }
}

function mayHaveEdited({ facts }: ListedSession, names: readonly string[]): boolean {
  if (facts === undefined) return false;
  const { edited } = facts;
  return edited.length >= MOST_FILES || edited.some((path) => names.includes(baseName(path)));
}

function copiesOf(edits: readonly SessionEdit[], file: RequestedFile): FileCopy[] {
  const copies = new Map<string, { readonly match: MatchedPath["match"]; readonly edits: SessionEdit[] }>();
  for (const one of edits) {
    const { path, movedTo } = one.edit;
    const directory = one.session.directory ?? "";
    const matched = [path, movedTo].flatMap((name) =>
      name === undefined ? [] : (matchPath(name, directory, file) ?? []),
    );
    const [best] = matched.sort((a, b) => MATCHES.indexOf(a.match) - MATCHES.indexOf(b.match));
    if (best === undefined) continue;
    const key = `${best.match} ${best.copy}`;
    const cached = copies.get(key) ?? { match: best.match, edits: [] };
    cached.edits.push(one);
    copies.set(key, cached);
  }
  for (const copy of copies.values()) copy.edits.sort((a, b) => a.at - b.at || a.sequence - b.sequence);
  return [...copies.values()]
    .sort(
      (a, b) =>
        MATCHES.indexOf(a.match) - MATCHES.indexOf(b.match) || b.edits.at(-1)!.at - a.edits.at(-1)!.at,
    )
    .slice(0, MOST_COPIES);
}
