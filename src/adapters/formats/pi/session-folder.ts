import path from "node:path";
import { textField } from "../../../domain/json/json.js";
import { compareText } from "../../../domain/lists/compare-text.js";
import { UniqueNames, withSign } from "../../../domain/lists/unique-names.js";
import { instantOf } from "../../../domain/trace/instant.js";
import { statContained } from "../../files/bytes/contained-files.js";
import type { FaultyHead, HeadReader } from "../../transcripts/folder/file-heads.js";
import { copiesByKey } from "../../transcripts/folder/file-keys.js";
import { append, filesBelow } from "../../transcripts/folder/file-lookups.js";
import type { TranscriptFolder } from "../../transcripts/folder/format.js";
import { headedFolder } from "../../transcripts/folder/headed-folder.js";
import {
  loneSession,
  type TranscriptFileGroup,
  tenantOfDirectory,
} from "../../transcripts/folder/transcript-files.js";
import { entryKey } from "./record.js";

interface SessionHead extends FaultyHead {
  readonly isRead: boolean;
  /** `undefined` if the file does not begin with a session. */
  readonly sessionId: string | undefined;
  readonly instant: number | undefined;
  readonly cwd: string | undefined;
  readonly parent: string | undefined;
}

const NO_HEAD = {
  isRead: false,
  sessionId: undefined,
  instant: undefined,
  cwd: undefined,
  parent: undefined,
};

const HEADS: HeadReader<SessionHead> = {
  name: "pi heads",
  none: NO_HEAD,
  shape: { isRead: "flag", sessionId: "text?", instant: "instant?", cwd: "text?", parent: "text?" },
  mostLines: 1,
  isComplete: ({ isRead }) => isRead,
  after(_, record = {}) {
    const [sessionId, cwd] = [textField(record, "id"), textField(record, "cwd")];
    if (record.type !== "session" || sessionId === undefined || cwd === undefined)
      return { ...NO_HEAD, isRead: true };
    const parent = textField(record, "parentSession")?.split(/[/\\]/).at(-1);
    return { isRead: true, sessionId, cwd, parent, instant: instantOf(record.timestamp) };
  },
};

const DEPTH = 2;

const OWN_NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z_(.+)\.jsonl$/;

/** Pi's folder of a project: its path with `-` for separators. */
const FOLDER = /^--(.*)--$/;

/** A session with another id is identified by its file name. */
const USABLE = /^[\w.:-]{1,200}$/;

type Heads = ReadonlyMap<string, SessionHead>;

function* sessionsOf(heads: Heads): Generator<void, TranscriptFileGroup[]> {
  const sessions = new Map<string, TranscriptFileGroup>();
  const names = new Map<string, UniqueNames>();
  for (const [file, { sessionId: recordedId, cwd: directory, fault }] of heads) {
    const lone = loneSession(file);
    const named = recordedId ?? OWN_NAME.exec(path.basename(file))?.[1];
    if (named === undefined) continue;
    const tenantId = tenantOfDirectory(directory ?? lone.tenantId.replace(FOLDER, "/$1"));
    const ofTenant = names.get(tenantId) ?? new UniqueNames();
    names.set(tenantId, ofTenant);
    const ownId = USABLE.test(named) ? named : lone.sessionId;
    const sessionId = ofTenant.take(ownId, withSign(ownId, "_"));
    sessions.set(file, { ...lone, tenantId, sessionId, directory, fault });
  }
  yield;
  const originals = originalsIn(heads);
  return [...sessions].map(([file, session]) => ({
    ...session,
    relatives: originals(file).flatMap((other) => sessions.get(other) ?? []),
  }));
}

const MOST_FORKS = 16;

/** The file that a fork names, or older forks of that if it is gone. Compares file names, because paths are of another machine. */
function originalsIn(heads: Heads): (file: string) => readonly string[] {
  const byName = new Map<string, string[]>();
  const byParent = new Map<string, string[]>();
  for (const [file, { parent }] of heads) {
    append(byName, path.basename(file), file);
    if (parent !== undefined) append(byParent, parent, file);
  }
  const isOlder = (file: string, than: string) => {
    const [a = 0, b = 0] = [heads.get(file)!.instant, heads.get(than)!.instant];
    return a === b ? file < than : a < b;
  };
  return (file) => {
    const { parent = "" } = heads.get(file)!;
    const others = byName.get(parent) ?? byParent.get(parent) ?? [];
    return others.filter((other) => isOlder(other, file)).slice(0, MOST_FORKS);
  };
}

/** @param isListed OpenClaw stores a list of its sessions: `sessions.json` */
export function sessionFolder(isListed: boolean): TranscriptFolder {
  return {
    ...headedFolder({
      heads: HEADS,
      *files(root, most) {
        const files = yield* filesBelow(root, DEPTH, most);
        return files.filter((file) => file.endsWith(".jsonl")).sort(compareText);
      },
      isOwn({ sessionId }, root, file) {
        const list = path.join(path.dirname(file), "sessions.json");
        return sessionId !== undefined && isListed === (statContained(root, list) !== undefined);
      },
      *beside() {},
      sessions: sessionsOf,
    }),
    lineage: copiesByKey(entryKey),
  };
}
