import path from "node:path";
import { present } from "../../../domain/json/json.js";
import { nameInside, readableOrNone, statEntry } from "../../files/bytes/contained-files.js";
import { type FileIdentity, identify } from "../../files/bytes/file-identities.js";
import { discoveredOnce, type FolderLookup } from "../../transcripts/folder/discovered-once.js";
import { filesBelow } from "../../transcripts/folder/file-lookups.js";
import type { PackedFiles } from "../../transcripts/folder/packed-files.js";
import type { TranscriptFileGroup } from "../../transcripts/folder/transcript-files.js";
import { linesOf } from "./lines.js";
import { type EvalLog, logIn, sampleIn } from "./log.js";

const LOG = /\.(eval|json)$/;

const DEEPEST = 3;
const MOST_FOLDERS = 1_000;
const MOST_FILES = 200;

/** Contents of files decide, never names. */
export function* recognises(root: string): Generator<void, boolean> {
  for (const file of (yield* filesIn(root, MOST_FOLDERS)).slice(0, MOST_FILES))
    if ((yield* readableLog(root, file)) !== undefined) return true;
  return false;
}

/** Each log is a tenant, also an unreadable one, so that the reason is reported. */
export function* tenants(root: string, lookup?: FolderLookup): Generator<void, string[]> {
  return [...(yield* logsIn(root, lookup)).keys()].sort();
}

export function* discover(
  root: string,
  tenantId: string,
  lookup?: FolderLookup,
): Generator<void, TranscriptFileGroup[]> {
  const file = (yield* logsIn(root, lookup)).get(tenantId);
  const log = file === undefined ? undefined : yield* logIn(root, file);
  if (log === undefined) return [];
  if (log.outside > 0) {
    const reason = `is damaged: its directory names ${log.outside} samples that lie outside of it, and they are skipped`;
    lookup?.warn?.({ file: nameInside(root, file!), line: 1, reason });
  }
  return sessionsOf(file!, tenantId, log);
}

const logsIn = discoveredOnce(function* (root) {
  const matches = new Map<string, string>();
  for (const file of yield* filesIn(root)) {
    const tenantId = tenantOf(root, file);
    if (matches.has(tenantId)) continue;
    if (file.endsWith(".eval") || (yield* readableLog(root, file)) !== undefined) matches.set(tenantId, file);
  }
  return matches;
});

export function* inFile(
  root: string,
  file: string,
): Generator<void, readonly TranscriptFileGroup[] | undefined> {
  const log = LOG.test(file) ? yield* logIn(root, file) : undefined;
  return log && sessionsOf(file, tenantOf(root, file), log);
}

/** The path of a sample continues the path of its log. */
export const samples: PackedFiles = {
  isPacked: () => true,
  *identify(root, files) {
    const logs = new Map<string, EvalLog | undefined>();
    const matches: (FileIdentity | undefined)[] = [];
    for (const file of files) {
      const at = path.dirname(file);
      if (!logs.has(at)) logs.set(at, yield* readableLog(root, at));
      const stats = readableOrNone(() => statEntry(root, at));
      const size = logs.get(at)?.samples.get(nameIn(file))?.packedSize;
      matches.push(stats?.isFile() ? { ...identify(stats), ...present({ size }) } : undefined);
      yield;
    }
    return matches;
  },
  *unpack(root, file, write, work) {
    const matches = yield* sampleIn(root, path.dirname(file), nameIn(file));
    if (matches === undefined) return false;
    work?.(matches.bytes.length);
    yield* linesOf(matches.bytes, matches.log.about, write, work);
    return true;
  },
};

const nameIn = (file: string) => decodeURIComponent(path.basename(file));

function* readableLog(root: string, file: string): Generator<void, EvalLog | undefined> {
  try {
    return yield* logIn(root, file);
  } catch (error) {
    return readableOrNone(() => {
      throw error;
    });
  }
}

function sessionsOf(file: string, tenantId: string, log: EvalLog): TranscriptFileGroup[] {
  return [...log.samples.values()].map(({ name, sessionId, title }) => {
    const where = `${file}${path.sep}${encodeURIComponent(name)}`;
    const sample = { path: where, agentId: "", isAgent: false, isOneConversation: false };
    return { tenantId, sessionId, title, files: [sample], relatives: [] };
  });
}

/** A log's name includes its folders. */
function tenantOf(root: string, file: string): string {
  return path
    .relative(root, file)
    .replace(/\.eval$/, "")
    .split(path.sep)
    .join(".");
}

/** Files of upper folders first. */
function* filesIn(root: string, mostFolders?: number): Generator<void, string[]> {
  return (yield* filesBelow(root, DEEPEST, mostFolders)).filter((file) => LOG.test(file));
}
