import path from "node:path";
import { LRUCache } from "lru-cache";
import { compareText } from "../../domain/session.js";
import { realRootOf, statContained } from "../jsonl/contained-files.js";
import type { CachePlace } from "../jsonl/disk-cache.js";
import { laneOf } from "../jsonl/lanes.js";
import { isPacked } from "../jsonl/unpack.js";
import { headOf } from "../transcripts/file-heads.js";
import { filesBelow, type TreeRules } from "../transcripts/history-tree.js";
import { sessionsOfThreads, type ThreadFile } from "../transcripts/thread-sessions.js";
import type { FoundSession, TranscriptFiles } from "../transcripts/transcript-files.js";
import { ROLLOUT, type RolloutHead, rolloutHeads, tenantOf, threadIdOf } from "./rollout-head.js";
import { threadNames } from "./session-index.js";

/** Years, months and days; very old files lie above them. */
const BY_DATE: TreeRules = {
  depth: 3,
  isFolder: (name) => /^\d{2,4}$/.test(name),
  isFile: (name) => ROLLOUT.test(name),
};

const HEADS_PER_PAUSE = 16;

/** The sessions of a folder, as they were found last. */
interface KnownHome {
  readonly heads: ReadonlyMap<string, RolloutHead>;
  readonly byTenant: ReadonlyMap<string, readonly FoundSession[]>;
  readonly byPlace: ReadonlyMap<string, FoundSession>;
  readonly names: ReadonlyMap<string, string>;
}

const knownHomes = new LRUCache<string, KnownHome>({ max: 8 });

export function* tenants(root: string, cache?: CachePlace): Generator<void, string[]> {
  return [...(yield* homeOf(root, cache)).byTenant.keys()];
}

export function* discover(
  root: string,
  tenantId: string,
  cache?: CachePlace,
): Generator<void, FoundSession[]> {
  const { byTenant } = yield* homeOf(root, cache);
  return [...(byTenant.get(tenantId) ?? [])];
}

export function* locate(
  root: string,
  tenantId: string,
  sessionId: string,
): Generator<void, FoundSession | undefined> {
  return (yield* homeOf(root)).byPlace.get(placeOf({ tenantId, sessionId }));
}

export function* relatives(root: string, session: TranscriptFiles): Generator<void, TranscriptFiles[]> {
  return [...((yield* homeOf(root)).byPlace.get(placeOf(session))?.relatives ?? [])];
}

function placeOf({ tenantId, sessionId }: Pick<TranscriptFiles, "tenantId" | "sessionId">): string {
  return `${tenantId}\0${sessionId}`;
}

/** The rollouts of a home, of its `sessions` folder, or of a folder in there; each once, whatever lies twice. */
export function* rolloutsIn(root: string): Generator<void, string[]> {
  const isHome = statContained(root, path.join(root, "sessions"))?.isDirectory() ?? false;
  const archive = path.join(root, "archived_sessions");
  const found = [
    ...(yield* filesBelow(root, isHome ? path.join(root, "sessions") : root, BY_DATE)),
    ...(yield* filesBelow(root, archive, { ...BY_DATE, depth: 0 })),
  ];
  const byName = new Map<string, string>();
  for (const file of found) {
    const name = path.basename(file).replace(/\.zst$/, "");
    const known = byName.get(name);
    // A plain file counts before a packed one, and one that is in use before an archived one.
    if (known === undefined || (isPacked(known) && !isPacked(file))) byName.set(name, file);
  }
  return [...byName].sort(([a], [b]) => compareText(a, b)).map(([, file]) => file);
}

/** Rollouts are known by their beginnings, which are read once: files are only appended to. */
function* homeOf(root: string, cache?: CachePlace): Generator<void, KnownHome> {
  const before = knownHomes.get(root);
  const files = yield* rolloutsIn(root);
  const names = yield* threadNames(root);
  const heads = new Map<string, RolloutHead>();
  const realRoot = realRootOf(root);
  for (const [i, file] of files.entries()) {
    const known = before?.heads.get(file);
    const place = { root, realRoot, lane: laneOf(file), cache };
    heads.set(file, known?.isFinal ? known : yield* headOf(rolloutHeads, place, file));
    if (i % HEADS_PER_PAUSE === HEADS_PER_PAUSE - 1) yield;
  }
  if (before !== undefined && before.names === names && areSame(before.heads, heads)) return before;
  const sessions = yield* sessionsOfThreads([...heads].map(([file, head]) => threadFile(file, head)));
  const byTenant = new Map<string, FoundSession[]>();
  const byPlace = new Map<string, FoundSession>();
  for (const found of sessions) {
    const title = names.get(found.sessionId);
    const session = title === undefined ? found : { ...found, title };
    const ofTenant = byTenant.get(session.tenantId) ?? [];
    byTenant.set(session.tenantId, ofTenant);
    ofTenant.push(session);
    byPlace.set(placeOf(session), session);
  }
  const home = { heads, byTenant, byPlace, names };
  knownHomes.set(root, home);
  return home;
}

function areSame(before: KnownHome["heads"], now: KnownHome["heads"]): boolean {
  if (before.size !== now.size) return false;
  for (const [file, head] of now) {
    const known = before.get(file);
    if (known !== head && JSON.stringify(known) !== JSON.stringify(head)) return false;
  }
  return true;
}

function threadFile(file: string, head: RolloutHead): ThreadFile {
  const { parentId, forkedFrom, role, nickname } = head;
  return {
    path: file,
    threadId: threadIdOf(head, file),
    tenantId: tenantOf(head),
    parentId,
    forkedFrom,
    note: { role, description: nickname },
  };
}
