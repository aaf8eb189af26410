import path from "node:path";
import { LRUCache } from "lru-cache";
import { textField } from "../../../domain/json/json.js";
import { readableOrNone, statEntry } from "../../files/bytes/contained-files.js";
import { firstRecord } from "../../files/bytes/read-short.js";
import { namesIn } from "../../transcripts/names-in.js";
import type { FoundSession, TranscriptFile, TranscriptFiles } from "../../transcripts/transcript-files.js";
import { findProjects, projectsOf } from "./projects.js";

/** The member of a session's object that holds its messages. */
export const MESSAGES = "messages";

const SESSION_FILE = /^(session-.*)\.jsonl?$/;
const LONGEST_ID = 200;

/** How many projects, and how many files of each, are looked at to recognise a folder. */
const MOST_LOOKED_AT = 20;

/** The ids of sessions by their files and the numbers of these: they stay the same, however much is added. */
const idsOfFiles = new LRUCache<string, string>({ max: 20_000 });

/** Whether a folder holds sessions of Gemini CLI: found by how files in it begin, never by names alone. */
export function* recognises(root: string): Generator<void, boolean> {
  for (const { chats } of (readableOrNone(() => findProjects(root)) ?? []).slice(0, MOST_LOOKED_AT)) {
    const files = readableOrNone(() => namesIn(root, chats).files) ?? [];
    for (const name of sessionFiles(files).slice(0, MOST_LOOKED_AT)) {
      const { sessionId, projectHash } = (yield* firstRecord(root, path.join(chats, name), MESSAGES)) ?? {};
      if (typeof sessionId === "string" && typeof projectHash === "string") return true;
    }
  }
  return false;
}

export function* tenants(root: string): Generator<void, string[]> {
  yield;
  return [...new Set(findProjects(root).map(({ tenantId }) => tenantId))].sort();
}

/** The sessions of a project, each once, and sub-agents whose sessions are gone. */
export function* discover(root: string, tenantId: string): Generator<void, FoundSession[]> {
  const sessions = new Map<string, FoundSession>();
  for (const { chats, directory } of projectsOf(root, tenantId)) {
    const own = new Map<string, readonly [TranscriptFile, ...TranscriptFile[]]>();
    const { files, folders } = namesIn(root, chats);
    for (const name of sessionFiles(files)) {
      const file = fileOf(path.join(chats, name));
      const named = yield* sessionIdIn(root, file.path);
      // Of two files with one id, nothing says which is the newer: each is a session.
      const id = named === undefined || own.has(named) ? SESSION_FILE.exec(name)![1]! : named;
      own.set(id, [file, ...(folders.includes(id) ? agentsIn(root, path.join(chats, id)) : [])]);
      yield;
    }
    for (const folder of folders.filter((name) => !own.has(name))) {
      for (const agent of agentsIn(root, path.join(chats, folder)))
        own.set(`${folder}.${agent.agentId}`, [fileOf(agent.path)]);
    }
    // A folder that was copied still holds the sessions that its copy holds.
    for (const [sessionId, its] of own)
      if (!sessions.has(sessionId))
        sessions.set(sessionId, { tenantId, sessionId, directory, files: its, relatives: [] });
  }
  return [...sessions.values()];
}

export function* locate(
  root: string,
  tenantId: string,
  sessionId: string,
): Generator<void, TranscriptFiles | undefined> {
  return (yield* discover(root, tenantId)).find((session) => session.sessionId === sessionId);
}

/** The id that a file names as its session's own; `undefined` where it names none. */
function* sessionIdIn(root: string, file: string): Generator<void, string | undefined> {
  const key = `${readableOrNone(() => statEntry(root, file))?.ino} ${file}`;
  const before = idsOfFiles.get(key);
  if (before !== undefined) return before;
  const id = textField((yield* firstRecord(root, file, MESSAGES)) ?? {}, "sessionId");
  if (id === undefined || id.length > LONGEST_ID) return undefined;
  idsOfFiles.set(key, id);
  return id;
}

function agentsIn(root: string, folder: string): TranscriptFile[] {
  const files = readableOrNone(() => namesIn(root, folder).files) ?? [];
  const histories = files.filter((name) => /\.jsonl?$/.test(name));
  return histories.map((name) => fileOf(path.join(folder, name), name.slice(0, name.lastIndexOf("."))));
}

function fileOf(file: string, agentId = ""): TranscriptFile {
  const arrayMember = file.endsWith(".json") ? MESSAGES : undefined;
  return { path: file, agentId, isAgent: agentId !== "", isOneConversation: true, arrayMember };
}

/** A session that a newer version resumes goes on in lines, in a file of the same name: its document stays behind. */
function sessionFiles(names: readonly string[]): string[] {
  const all = new Set(names);
  return names.filter((name) => SESSION_FILE.test(name) && (name.endsWith("l") || !all.has(`${name}l`)));
}
