import { LRUCache } from "lru-cache";
import { realRootOf } from "../../files/bytes/contained-files.js";
import type { DiskCache } from "../../files/cache/disk-cache.js";
import { headOf, headsOf } from "../../transcripts/file-heads.js";
import { append } from "../../transcripts/file-lookups.js";
import type { TranscriptFolder } from "../../transcripts/format.js";
import type { FoundSession, TranscriptFiles } from "../../transcripts/transcript-files.js";
import { copiedRecords } from "./copied-records.js";
import {
  rolloutInName,
  rolloutsIn,
  THREAD_HEADS,
  type ThreadHead,
  threadInName,
  threadNames,
} from "./layout.js";
import { sessionsOfThreads, type ThreadFile } from "./thread-sessions.js";

/** How many files are looked at to recognise a folder: the newest. */
const RECOGNISED_BY = 50;

/** Ids that can be asked for; another one is known by the name of its file. */
const USABLE = /^[\w.:-]{1,200}$/;

interface KnownFolder {
  readonly heads: ReadonlyMap<string, ThreadHead>;
  readonly names: ReadonlyMap<string, string>;
  readonly byTenant: ReadonlyMap<string, readonly FoundSession[]>;
  readonly byPlace: ReadonlyMap<string, FoundSession>;
}

const folders = new LRUCache<string, KnownFolder>({ max: 8 });

/** The sessions in a home, which are found by how their files begin: that is read once, as files are only appended to. */
export const threadFolder: TranscriptFolder = {
  *recognises(root) {
    const place = { root, realRoot: realRootOf(root), cache: undefined };
    for (const file of (yield* rolloutsIn(root)).slice(-RECOGNISED_BY)) {
      if ((yield* headOf(THREAD_HEADS, place, file)).threadId !== undefined) return true;
    }
    return false;
  },
  *tenants(root, cache) {
    return [...(yield* folderOf(root, cache)).byTenant.keys()];
  },
  *discover(root, tenantId, cache) {
    return [...((yield* folderOf(root, cache)).byTenant.get(tenantId) ?? [])];
  },
  *locate(root, tenantId, sessionId) {
    return (yield* folderOf(root)).byPlace.get(placeOf({ tenantId, sessionId }));
  },
  *inFile(root, path) {
    const head = yield* headOf(THREAD_HEADS, { root, realRoot: realRootOf(root), cache: undefined }, path);
    if (head.threadId === undefined) return undefined;
    return yield* sessionsOfThreads(threadsOf(new Map([[path, head]])), new Map());
  },
  *relatives(root, session) {
    return [...((yield* folderOf(root)).byPlace.get(placeOf(session))?.relatives ?? [])];
  },
  lineage: (root, _, { path, copiedFrom = [] }) => copiedRecords(root, path, copiedFrom),
};

function* folderOf(root: string, cache?: DiskCache): Generator<void, KnownFolder> {
  const before = folders.get(root);
  const files = yield* rolloutsIn(root);
  const names = yield* threadNames(root);
  const heads = yield* headsOf(THREAD_HEADS, { root, realRoot: realRootOf(root), cache }, files, (file) => {
    const head = before?.heads.get(file);
    return head?.isFinal ? head : undefined;
  });
  if (before !== undefined && before.names === names && areSame(before.heads, heads)) return before;
  const sessions = yield* sessionsOfThreads(threadsOf(heads), names);
  const byTenant = new Map<string, FoundSession[]>();
  for (const session of sessions) append(byTenant, session.tenantId, session);
  const byPlace = new Map(sessions.map((session) => [placeOf(session), session]));
  const folder = { heads, names, byTenant, byPlace };
  folders.set(root, folder);
  return folder;
}

function threadsOf(heads: ReadonlyMap<string, ThreadHead>): ThreadFile[] {
  const threadIds = threadIdsOf(heads);
  return [...heads].map(([path, head]) => {
    const threadId = threadIds.get(path)!;
    return { ...head, path, threadId, rolloutId: rolloutInName(path), tenantId: tenantOf(head) };
  });
}

/** The thread of each file: the one that it says, unless another file is called after that one and this one is not. */
function threadIdsOf(heads: ReadonlyMap<string, ThreadHead>): ReadonlyMap<string, string> {
  const told = ({ threadId = "" }: ThreadHead) => (USABLE.test(threadId) ? threadId : undefined);
  const files = [...heads].map(([path, head]) => ({ path, named: threadInName(path), told: told(head) }));
  const owned = new Set(files.filter((file) => file.told === file.named).map(({ named }) => named));
  return new Map(
    files.map(({ path, named, told = named }) => [path, owned.has(told) && told !== named ? named : told]),
  );
}

/** A tenant is named after the folder that was worked in: each character that is no letter or digit as `-`. */
function tenantOf({ cwd }: ThreadHead): string {
  return cwd === undefined ? "unknown" : cwd.replace(/[^a-zA-Z0-9]/g, "-").slice(0, 200);
}

function placeOf({ tenantId, sessionId }: Pick<TranscriptFiles, "tenantId" | "sessionId">): string {
  return `${tenantId}\0${sessionId}`;
}

function areSame(before: KnownFolder["heads"], now: KnownFolder["heads"]): boolean {
  if (before.size !== now.size) return false;
  for (const [file, head] of now) {
    const known = before.get(file);
    if (known !== head && JSON.stringify(known) !== JSON.stringify(head)) return false;
  }
  return true;
}
