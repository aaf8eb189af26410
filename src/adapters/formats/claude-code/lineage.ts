import path from "node:path";
import { CachedWhileSame } from "../../../application/cached-while-same.js";
import { compareText } from "../../../domain/lists/compare-text.js";
import { firstWhere } from "../../../domain/lists/lists.js";
import { hash53 } from "../../../domain/text/fingerprints.js";
import { statEntry } from "../../files/bytes/contained-files.js";
import { type FileIdentity, identify, isUnchanged } from "../../files/bytes/file-identities.js";
import type { Line } from "../../files/bytes/line.js";
import { recordsOf } from "../../files/bytes/parse-line.js";
import { scanFiles } from "../../files/search/scan-files.js";
import { FileKeys } from "../../transcripts/folder/file-keys.js";
import type { Lineage } from "../../transcripts/folder/format.js";
import type {
  TranscriptFile,
  TranscriptFileGroup,
  TranscriptFiles,
} from "../../transcripts/folder/transcript-files.js";
import { repeatedRecords } from "./inherited.js";
import { type FileHead, NO_HEAD, namesOf, type ProjectFolder, projectFolder } from "./project-folder.js";
import { type RecordIdentity, recordIdentity } from "./record.js";

/**
 * Detects replays. A session that was forked or resumed into a new file begins with copies of another session's records, with the same
 * `uuid` and `timestamp`; they belong to the first session (`docs/claude-code.md`).
 */

const NO_LINEAGE: Lineage = { name: "", isReplay: () => false };

/** Older sessions to search for the original of a copy's first record, newest first. */
const MOST_ORIGINALS = 128;

/**
 * Candidates for common records: sessions with the same first record, with a reference to each other, or begun before the records that
 * the session continues.
 */
export function* relatives(root: string, session: TranscriptFiles): Generator<void, TranscriptFiles[]> {
  return relativesIn(yield* projectFolder(root, session.tenantId, false), session);
}

export function relativesIn(project: ProjectFolder, session: TranscriptFiles): TranscriptFiles[] {
  const { tenantId, sessionId } = session;
  const { folder, heads, byKey, namedBy } = project;
  if (isOrphan(session)) return [];
  const head = heads.get(`${sessionId}.jsonl`);
  if (head === undefined) return [];
  const sameKey = head.key === undefined ? [] : (byKey.get(head.key) ?? []);
  const names = new Set([
    ...sameKey,
    ...namesOf(head).map((id) => `${id}.jsonl`),
    ...(namedBy.get(sessionId) ?? []),
    ...originalsOf(head, project),
  ]);
  names.delete(`${sessionId}.jsonl`);
  return [...names]
    .filter((name) => heads.has(name) && !name.startsWith("agent-"))
    .map((name) => ({
      tenantId,
      sessionId: name.slice(0, -".jsonl".length),
      files: [{ path: path.join(folder, name), agentId: "", isAgent: false, isOneConversation: false }],
    }));
}

/** A copy that begins with a compaction names no session: the compacted session began earlier. */
function originalsOf({ compaction, instant }: FileHead, { heads, byAge }: ProjectFolder): readonly string[] {
  if (compaction === undefined || instant === undefined) return [];
  const end = firstWhere(0, byAge.length, (i) => heads.get(byAge[i]!)!.instant! >= instant);
  return byAge.slice(Math.max(0, end - MOST_ORIGINALS), end).reverse();
}

export function* lineage(
  root: string,
  session: TranscriptFileGroup,
  file: TranscriptFile,
): Generator<void, Lineage> {
  const others = session.relatives;
  if (file.isAgent) return repeatedRecords(root, file) ?? NO_LINEAGE;
  if (others.length === 0 || file !== session.files[0]) return NO_LINEAGE;
  const project = yield* projectFolder(root, session.tenantId, false);
  const members = new Map<string, RecordIds>();
  const head = headOf(project, session.sessionId);
  const { key, compaction = "" } = head;
  let original: string | undefined;
  for (const {
    sessionId,
    files: [own],
  } of [session, ...others]) {
    const begunAlike = headOf(project, sessionId).key === key;
    const isSearched =
      compaction !== "" && !begunAlike && isNamed(project, session.sessionId, sessionId) === undefined;
    // Only one of many candidates contains the compaction at the copy's beginning.
    if (isSearched && (original !== undefined || !(yield* mayHold(root, own.path, compaction)))) continue;
    const ids = yield* fileIds.of(root, own.path, addIds);
    if (isSearched && ids.get(hash53(compaction)) !== head.instant) continue;
    if (isSearched) original = sessionId;
    members.set(sessionId, ids);
  }
  const earlier = others
    .map(({ sessionId }) => sessionId)
    .filter(
      (id) =>
        members.has(id) &&
        (isNamed(project, session.sessionId, id) ?? isOlder(id, session.sessionId, members)),
    );
  if (earlier.length === 0) return NO_LINEAGE;
  const earlierIds = earlier.map((id) => members.get(id)!);
  return {
    name: earlier.sort(compareText).join(" "),
    isReplay: (record) => {
      const own = recordIdentity(record);
      return own !== undefined && earlierIds.some((ids) => holds(ids, own));
    },
  };
}

/** A copy has the id and the instant of its original, or names it. */
function holds(ids: RecordIds, { id, instant, originalId }: RecordIdentity): boolean {
  return ids.get(id) === instant || (originalId !== undefined && ids.has(originalId));
}

function headOf({ heads }: ProjectFolder, sessionId: string): FileHead {
  return heads.get(`${sessionId}.jsonl`) ?? NO_HEAD;
}

const holdings = new CachedWhileSame<FileIdentity, boolean>({ max: 10_000 }, isUnchanged);

function* mayHold(root: string, file: string, id: string): Generator<void, boolean> {
  const stats = statEntry(root, file);
  if (stats === undefined) return false;
  const identity = identify(stats);
  const name = `${id} ${file}`;
  const keySet = holdings.get(name, identity);
  if (keySet !== undefined) return keySet;
  const query = { kind: "text", text: id, isExact: true } as const;
  const { matches } = yield* scanFiles({ root, query, sessions: [[file]], until: Number.POSITIVE_INFINITY });
  return holdings.keep(name, identity, matches[0] === 1);
}

/** A sub-agent whose session is gone is never forked. */
function isOrphan({ files: [{ isOneConversation }] }: TranscriptFiles): boolean {
  return isOneConversation;
}

/** `undefined` if neither or both name the other as its origin. */
function isNamed({ heads }: ProjectFolder, sessionId: string, other: string): boolean | undefined {
  const names = namesOf(heads.get(`${sessionId}.jsonl`)).includes(other);
  const isNamed = namesOf(heads.get(`${other}.jsonl`)).includes(sessionId);
  return names === isNamed ? undefined : names;
}

/** By record, in file order: its instant by its id, also by that of its original. */
type RecordIds = ReadonlyMap<number, number>;

const fileIds = new FileKeys<number>();

function addIds(ids: Map<number, number>, line: Line): void {
  for (const record of recordsOf(line)) {
    const { originalId, id, instant } = recordIdentity(record) ?? {};
    for (const one of [originalId, id]) if (one !== undefined && !ids.has(one)) ids.set(one, instant!);
  }
}

/** Compares the first records that are not copies; a session without one comes first. */
function isOlder(a: string, b: string, members: ReadonlyMap<string, RecordIds>): boolean {
  const [ageA, ageB] = [ageOf(a, members), ageOf(b, members)];
  if (ageA.firstOwn !== ageB.firstOwn) return ageA.firstOwn < ageB.firstOwn;
  if (ageA.size !== ageB.size) return ageA.size < ageB.size;
  return compareText(a, b) < 0;
}

interface Age {
  readonly firstOwn: number;
  readonly size: number;
}

function ageOf(sessionId: string, members: ReadonlyMap<string, RecordIds>): Age {
  const ids = members.get(sessionId)!;
  const others = [...members].filter(([id]) => id !== sessionId);
  for (const [id, instant] of ids) {
    if (!others.some(([, other]) => other.get(id) === instant)) return { firstOwn: instant, size: ids.size };
  }
  return { firstOwn: Number.NEGATIVE_INFINITY, size: ids.size };
}
