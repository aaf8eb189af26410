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
import { isLocal, type SessionSource } from "../ports/session-source.js";
import { onceMore } from "../records/retry-once.js";
import type { SessionEdits } from "./session-edits.js";

export interface SessionEdit extends RecordedEdit {
  readonly session: ListedSession;
}

/** Edits of one copy of the file, for example in another checkout. */
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
  /** True if the caller accepts a longer wait for a more complete result. */
  readonly isPatient: boolean;
}

const PARALLEL_READS = 4;

/** Time limits in milliseconds, to read facts and edits of sessions. After a limit, the search returns its current results. */
const BUDGETS = { facts: 300, edits: 1_000 };
const PATIENT_BUDGETS = { facts: 2_000, edits: 2_000 };

/** A remote store provides no facts (such as the edited files). At most this many of its sessions are read without them. */
const MOST_WITHOUT_FACTS = 20;

const MOST_COPIES = 24;
/** Degrees of a path match, best first. */
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
    const withoutFacts = page.items.filter(({ facts }) => facts === undefined);
    const readAnyway = new Set(isLocal(source) ? [] : withoutFacts.slice(0, MOST_WITHOUT_FACTS));
    const candidates = page.items.filter(
      (session) => readAnyway.has(session) || mayHaveEdited(session, names),
    );
    const deadline = performance.now() + budgets.edits;
    const editsReading = await this.#edits.reading(names);
    const matches: SessionEdit[] = [];
    let [sessions, unread] = [0, page.unread ?? 0];
    const add = (session: ListedSession, edits: readonly RecordedEdit[]) => {
      if (edits.length > 0) sessions++;
      for (const edit of edits) matches.push({ ...edit, session });
    };
    const toRead: ListedSession[] = [];
    for (const session of candidates) {
      const cached = editsReading.cachedEdits(session);
      if (cached === undefined) toRead.push(session);
      else add(session, cached);
    }
    for (let at = 0; at < toRead.length; at += PARALLEL_READS) {
      // The first batch ignores the time limit, so that each request makes progress.
      if (at > 0 && performance.now() >= deadline) {
        unread += toRead.length - at;
        break;
      }
      const batch = toRead.slice(at, at + PARALLEL_READS);
      const editsOfBatch = await Promise.all(
        batch.map((session) => readEdits(source, editsReading, session, options)),
      );
      for (const [i, edits] of editsOfBatch.entries()) add(batch[i]!, edits);
    }
    // Stores the new edits for the next request.
    await editsReading.end();
    const undecided = page.undecided + (isLocal(source) ? 0 : withoutFacts.length - readAnyway.size);
    return {
      copies: copiesOf(matches, file),
      coverage: { sessions, edits: matches.length, unread, undecided },
    };
  }
}

/** Returns no edits for an unreadable session, so that the search of other sessions continues. */
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

/** True also if the list of edited files reached its limit, because it may then lack the file. */
function mayHaveEdited({ facts }: ListedSession, names: readonly string[]): boolean {
  if (facts === undefined) return false;
  const { edited } = facts;
  return edited.length >= MOST_FILES || edited.some((path) => names.includes(baseName(path)));
}

/** Groups the edits by copy of the file. The best match comes first, then the copy with the latest edit. */
function copiesOf(edits: readonly SessionEdit[], file: RequestedFile): FileCopy[] {
  const copies = new Map<string, { readonly match: MatchedPath["match"]; readonly edits: SessionEdit[] }>();
  for (const sessionEdit of edits) {
    const { path, movedTo } = sessionEdit.edit;
    const directory = sessionEdit.session.directory ?? "";
    const pathMatches = [path, movedTo].flatMap((name) =>
      name === undefined ? [] : (matchPath(name, directory, file) ?? []),
    );
    const [best] = pathMatches.sort((a, b) => MATCHES.indexOf(a.match) - MATCHES.indexOf(b.match));
    if (best === undefined) continue;
    const key = `${best.match} ${best.copy}`;
    const copy = copies.get(key) ?? { match: best.match, edits: [] };
    copy.edits.push(sessionEdit);
    copies.set(key, copy);
  }
  for (const copy of copies.values()) copy.edits.sort((a, b) => a.at - b.at || a.sequence - b.sequence);
  return [...copies.values()]
    .sort(
      (a, b) =>
        MATCHES.indexOf(a.match) - MATCHES.indexOf(b.match) || b.edits.at(-1)!.at - a.edits.at(-1)!.at,
    )
    .slice(0, MOST_COPIES);
}
