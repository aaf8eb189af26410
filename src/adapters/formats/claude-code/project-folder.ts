import path from "node:path";
import { CachedWhileSame } from "../../../application/cached-while-same.js";
import { objectField, textField } from "../../../domain/json/json.js";
import { hash53 } from "../../../domain/text/fingerprints.js";
import { instantOf } from "../../../domain/trace/instant.js";
import { realRootOf, statContained } from "../../files/bytes/contained-files.js";
import { type FileIdentity, identify, isSameFile, isUnchanged } from "../../files/bytes/file-identities.js";
import type { DiskCache } from "../../files/cache/disk-cache.js";
import { type FaultyHead, type HeadReader, headsOf } from "../../transcripts/folder/file-heads.js";
import { append, namesIn } from "../../transcripts/folder/file-lookups.js";
import { recordIdentity } from "./record.js";

export interface ProjectFolder {
  readonly folder: string;
  readonly folders: readonly string[];
  /** `.jsonl` files by name order. */
  readonly heads: ReadonlyMap<string, FileHead>;
  readonly sessionIds: ReadonlySet<string>;
  /** Sub-agents' files beside those of sessions (2.0), by the session that their lines name. */
  readonly agentsBeside: ReadonlyMap<string, readonly string[]>;
  /** Files with the same first record. */
  readonly byKey: ReadonlyMap<number, readonly string[]>;
  /** Files whose first record has an instant, oldest first. */
  readonly byAge: readonly string[];
  /** By session: files that name it as their own, or as their origin. */
  readonly namedBy: ReadonlyMap<string, readonly string[]>;
}

interface CachedFolder extends ProjectFolder {
  readonly identity: FileIdentity;
  /** Any later change results in another modification time. */
  readonly isSettled: boolean;
}

export const SUFFIX = ".jsonl";

export const AGENT_FILE = /^agent-(.+)\.jsonl$/;

const projectFolders = new CachedWhileSame<FileIdentity, CachedFolder>({ max: 500 }, isUnchanged);

/** Milliseconds in which two changes of a folder may have the same modification time. */
const CLOCK_STEP_MS = 50;

const EMPTY: Omit<ProjectFolder, "folder"> = {
  folders: [],
  heads: new Map(),
  sessionIds: new Set(),
  agentsBeside: new Map(),
  byKey: new Map(),
  byAge: [],
  namedBy: new Map(),
};

/**
 * Cached. The folder is read again after changes of its identity, the beginning of a file only once, because files only grow. A repeated
 * opening of a session costs one `stat`.
 * @param isThorough true to read files without records again
 * @param cache stores beginnings for the next process
 */
export function* projectFolder(
  root: string,
  tenantId: string,
  isThorough: boolean,
  cache?: DiskCache,
): Generator<void, ProjectFolder> {
  const folder = path.join(root, tenantId);
  const stats = statContained(root, folder);
  if (stats === undefined || !stats.isDirectory()) return { folder, ...EMPTY };
  const before = projectFolders.last(folder);
  const identity = identify(stats);
  const same = projectFolders.get(folder, identity);
  if (same?.isSettled && !isThorough) return same;
  const heldHeads = before !== undefined && isSameFile(before.identity, identity) ? before.heads : undefined;
  const readAt = Date.now();
  const { files, folders } = namesIn(root, folder);
  const held = (name: string) => (heldHeads?.get(name)?.key === undefined ? undefined : heldHeads.get(name));
  const lines = files.filter((file) => file.endsWith(SUFFIX));
  const place = { root, realRoot: realRootOf(root), cache };
  const heads = yield* headsOf(fileHeads, place, lines, held, folder + path.sep);
  const sessionIds = new Set<string>();
  const agentsBeside = new Map<string, string[]>();
  const byKey = new Map<number, string[]>();
  const namedBy = new Map<string, string[]>();
  for (const [name, head] of heads) {
    if (AGENT_FILE.test(name)) append(agentsBeside, head.sessionId ?? "", name);
    else sessionIds.add(name.slice(0, -SUFFIX.length));
    if (head.key !== undefined) append(byKey, head.key, name);
    for (const id of namesOf(head)) append(namedBy, id, name);
  }
  const byAge = [...heads.keys()].filter((name) => heads.get(name)!.instant !== undefined);
  byAge.sort((a, b) => heads.get(a)!.instant! - heads.get(b)!.instant!);
  const isSettled = readAt - stats.ctimeMs > CLOCK_STEP_MS;
  const names = { folders, heads, sessionIds, agentsBeside, byKey, byAge, namedBy };
  return projectFolders.keep(folder, identity, { folder, ...names, identity, isSettled });
}

export function namesOf(head: FileHead | undefined): string[] {
  return [head?.sessionId, head?.forkedFrom].filter((id) => id !== undefined);
}

/** First record with a `uuid`; without one, the names in the earlier records. */
export interface FileHead extends FaultyHead {
  /** Replayed copies share it. */
  readonly key: number | undefined;
  readonly instant: number | undefined;
  readonly sessionId: string | undefined;
  /** Session of the original. */
  readonly forkedFrom: string | undefined;
  /** Id of a first record that is a compaction: another file contains the earlier messages. */
  readonly compaction: string | undefined;
}

export const NO_HEAD: FileHead = {
  key: undefined,
  instant: undefined,
  sessionId: undefined,
  forkedFrom: undefined,
  compaction: undefined,
};

const UUID = /^[0-9a-f-]{36}$/i;

const MOST_LINES = 100_000;

const fileHeads: HeadReader<FileHead> = {
  name: "claude-code heads",
  none: NO_HEAD,
  shape: {
    key: "number?",
    instant: "instant?",
    sessionId: "text?",
    forkedFrom: "text?",
    compaction: "text?",
  },
  mostLines: MOST_LINES,
  isComplete: ({ key }) => key !== undefined,
  after(head, record) {
    if (record === undefined) return head;
    const own = recordIdentity(record);
    const key = own && hash53(`${own.originalId ?? own.id} ${own.instant}`);
    const sessionId = textField(record, "sessionId");
    if (key === undefined) return { ...head, sessionId: head.sessionId ?? sessionId };
    const forkedFrom = textField(objectField(record, "forkedFrom"), "sessionId");
    const id = textField(record, "uuid") ?? "";
    const goesOn = textField(record, "logicalParentUuid") !== undefined && UUID.test(id);
    const compaction = goesOn ? id : undefined;
    return { key, instant: instantOf(record.timestamp), sessionId, forkedFrom, compaction };
  },
};
