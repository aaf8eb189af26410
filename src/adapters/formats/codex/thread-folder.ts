import { LRUCache } from "lru-cache";
import type { JsonObject } from "../../../domain/json/json.js";
import { realRootOf } from "../../files/bytes/contained-files.js";
import type { Line } from "../../files/bytes/line.js";
import { parseLine } from "../../files/bytes/parse-line.js";
import type { DiskCache } from "../../files/cache/disk-cache.js";
import { type FaultyHead, type HeadReader, headOf } from "../../transcripts/file-heads.js";
import type { TranscriptFormat } from "../../transcripts/format.js";
import type { FoundSession, TranscriptFiles } from "../../transcripts/transcript-files.js";
import { sessionsOfThreads } from "./thread-sessions.js";

/** What the beginning of a file says of the thread that it holds. */
export interface ThreadHead extends FaultyHead {
  /** Whether nothing behind it says more. */
  readonly isFinal: boolean;
  readonly threadId: string | undefined;
  /** The folder that was worked in. */
  readonly cwd: string | undefined;
  /** The thread that spawned it, and the one that it begins with copies of. */
  readonly parentId: string | undefined;
  readonly forkedFrom: string | undefined;
  readonly role: string | undefined;
  readonly nickname: string | undefined;
}

/** A folder of threads, a file or several of each, whichever folders they lie in. */
export interface ThreadRules {
  /** The name of the format. */
  readonly name: string;
  /** All files in the order in which they were begun, each once. */
  filesIn(root: string): Generator<void, readonly string[]>;
  /** What is known of a thread after one more record. Of a file without such records it stays as it was. */
  headAfter(head: ThreadHead, record: JsonObject, file: string, isFirst: boolean): ThreadHead;
  /** The thread of a file whose records do not name it. */
  threadInName(file: string): string;
  /** Names that were given to threads. */
  namesIn(root: string): Generator<void, ReadonlyMap<string, string>>;
}

const NO_HEAD: ThreadHead = {
  isFinal: false,
  threadId: undefined,
  cwd: undefined,
  parentId: undefined,
  forkedFrom: undefined,
  role: undefined,
  nickname: undefined,
};

/** Among how many lines those lie that say what a thread is. */
const MOST_LINES = 20;

/** How many files are looked at to recognise a folder: the newest. */
const RECOGNISED_BY = 50;

const HEADS_PER_PAUSE = 16;

/** Ids that can be asked for; another one is known by the name of its file. */
const USABLE = /^[\w.:-]{1,200}$/;

interface KnownFolder {
  readonly heads: ReadonlyMap<string, ThreadHead>;
  readonly names: ReadonlyMap<string, string>;
  readonly byTenant: ReadonlyMap<string, readonly FoundSession[]>;
  readonly byPlace: ReadonlyMap<string, FoundSession>;
}

/** The sessions in a folder of threads, which are found by how their files begin: that is read once, as files are only appended to. */
export function threadFolder(
  rules: ThreadRules,
): Required<Pick<TranscriptFormat, "recognises" | "tenants" | "discover" | "locate" | "relatives">> {
  const reader = headReader(rules);
  const known = new LRUCache<string, KnownFolder>({ max: 8 });

  function* folderOf(root: string, cache?: DiskCache): Generator<void, KnownFolder> {
    const before = known.get(root);
    const files = yield* rules.filesIn(root);
    const names = yield* rules.namesIn(root);
    const realRoot = realRootOf(root);
    const heads = new Map<string, ThreadHead>();
    const place = { root, realRoot, cache };
    for (const [i, file] of files.entries()) {
      const head = before?.heads.get(file);
      heads.set(file, head?.isFinal ? head : yield* headOf(reader, place, file));
      if (i % HEADS_PER_PAUSE === HEADS_PER_PAUSE - 1) yield;
    }
    if (before !== undefined && before.names === names && areSame(before.heads, heads)) return before;
    const threads = [...heads].map(([path, head]) => ({
      path,
      threadId: USABLE.test(head.threadId ?? "") ? head.threadId! : rules.threadInName(path),
      tenantId: tenantOf(head),
      directory: head.cwd,
      parentId: head.parentId,
      forkedFrom: head.forkedFrom,
      note: { role: head.role, description: head.nickname },
      fault: head.fault,
    }));
    const sessions = yield* sessionsOfThreads(threads, names);
    const byTenant = new Map<string, FoundSession[]>();
    for (const session of sessions) {
      const ofTenant = byTenant.get(session.tenantId);
      if (ofTenant === undefined) byTenant.set(session.tenantId, [session]);
      else ofTenant.push(session);
    }
    const byPlace = new Map(sessions.map((session) => [placeOf(session), session]));
    const folder = { heads, names, byTenant, byPlace };
    known.set(root, folder);
    return folder;
  }

  return {
    *recognises(root) {
      const place = { root, realRoot: realRootOf(root), cache: undefined };
      for (const file of (yield* rules.filesIn(root)).slice(-RECOGNISED_BY)) {
        if ((yield* headOf(reader, place, file)).threadId !== undefined) return true;
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
    *relatives(root, session) {
      return [...((yield* folderOf(root)).byPlace.get(placeOf(session))?.relatives ?? [])];
    },
  };
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

function headReader({ name, headAfter }: ThreadRules): HeadReader<ThreadHead> {
  return {
    name: `${name} heads`,
    none: NO_HEAD,
    shape: {
      isFinal: "flag",
      threadId: "text?",
      cwd: "text?",
      parentId: "text?",
      forkedFrom: "text?",
      role: "text?",
      nickname: "text?",
    },
    begin(file) {
      let head = NO_HEAD;
      let lines = 0;
      return {
        get head() {
          return head;
        },
        get isFound() {
          return head.isFinal;
        },
        get isEnough() {
          return head.isFinal;
        },
        follow(line: Line) {
          if (head.isFinal) return;
          const { record } = parseLine(line);
          if (record !== undefined) head = headAfter(head, record, file, lines === 0);
          if (++lines === MOST_LINES) head = { ...head, isFinal: true };
        },
      };
    },
  };
}
