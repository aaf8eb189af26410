import path from "node:path";
import { readableOrNone, statEntry } from "../../files/bytes/contained-files.js";
import { identify } from "../../files/bytes/file-identities.js";
import { namesIn } from "../../transcripts/file-lookups.js";
import type { PackedFiles } from "../../transcripts/packed-files.js";
import type { FoundSession, TranscriptFiles } from "../../transcripts/transcript-files.js";
import { linesOf } from "./lines.js";
import { type EvalLog, logIn, sampleIn } from "./log.js";

const LOG = /\.(eval|json)$/;

/** How many files and folders are looked at to recognise a folder, and how deep logs may lie. */
const MOST_LOOKED_AT = 200;
const DEEPEST = 3;

/** Whether a folder holds logs of Inspect: found by what files in it hold, never by names. */
export function* recognises(root: string): Generator<void, boolean> {
  for (const file of filesIn(root, MOST_LOOKED_AT))
    if ((yield* readableLog(root, file)) !== undefined) return true;
  return false;
}

/** Each log is a tenant. One that cannot be read is one, too, so that it is said why. */
export function* tenants(root: string): Generator<void, string[]> {
  const found = new Set<string>();
  for (const file of filesIn(root)) {
    if (file.endsWith(".eval") || (yield* readableLog(root, file)) !== undefined)
      found.add(tenantOf(root, file));
    yield;
  }
  return [...found].sort();
}

export function* discover(root: string, tenantId: string): Generator<void, FoundSession[]> {
  const file = filesIn(root).find((one) => tenantOf(root, one) === tenantId);
  const log = file === undefined ? undefined : yield* logIn(root, file);
  return log === undefined ? [] : sessionsOf(file!, tenantId, log);
}

export function* locate(
  root: string,
  tenantId: string,
  sessionId: string,
): Generator<void, TranscriptFiles | undefined> {
  return (yield* discover(root, tenantId)).find((session) => session.sessionId === sessionId);
}

export function* inFile(root: string, file: string): Generator<void, readonly FoundSession[] | undefined> {
  const log = LOG.test(file) ? yield* logIn(root, file) : undefined;
  return log && sessionsOf(file, tenantOf(root, file), log);
}

/** Samples lie in their log: the path of one goes on from that of the other. */
export const samples: PackedFiles = {
  isPacked: () => true,
  *identify(root, files) {
    const found = [];
    for (const file of files) {
      const stats = readableOrNone(() => statEntry(root, path.dirname(file)));
      found.push(stats?.isFile() ? identify(stats) : undefined);
      yield;
    }
    return found;
  },
  *unpack(root, file, write) {
    const found = yield* sampleIn(root, path.dirname(file), decodeURIComponent(path.basename(file)));
    if (found === undefined) return false;
    yield* linesOf(found.bytes, found.log.about, write);
    return true;
  },
};

function* readableLog(root: string, file: string): Generator<void, EvalLog | undefined> {
  try {
    return yield* logIn(root, file);
  } catch (error) {
    return readableOrNone(() => {
      throw error;
    });
  }
}

function sessionsOf(file: string, tenantId: string, log: EvalLog): FoundSession[] {
  return [...log.samples.values()].map(({ name, sessionId, title }) => {
    const where = `${file}${path.sep}${encodeURIComponent(name)}`;
    const sample = { path: where, agentId: "", isAgent: false, isOneConversation: false };
    return { tenantId, sessionId, title, files: [sample], relatives: [] };
  });
}

/** A log's name, with the folders that it lies in. */
function tenantOf(root: string, file: string): string {
  return path
    .relative(root, file)
    .replace(/\.eval$/, "")
    .split(path.sep)
    .join(".");
}

/** Files that may be logs, those of an upper folder first. */
function filesIn(root: string, most = Number.POSITIVE_INFINITY): string[] {
  const found: string[] = [];
  const open = [{ at: root, depth: 0 }];
  for (let left = most, next = open.shift(); next !== undefined && left > 0; next = open.shift(), left--) {
    const { at, depth } = next;
    const { files, folders } = readableOrNone(() => namesIn(root, at)) ?? { files: [], folders: [] };
    for (const name of files) if (LOG.test(name) && found.length < most) found.push(path.join(at, name));
    if (depth === DEEPEST) continue;
    for (const name of folders)
      if (!/^\.|^node_modules$/.test(name)) open.push({ at: path.join(at, name), depth: depth + 1 });
  }
  return found;
}
