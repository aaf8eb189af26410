import path from "node:path";
import { textField } from "../../domain/json.js";
import type { FoundSession, TranscriptFile, TranscriptFiles } from "../transcripts/transcript-files.js";
import { filesIn, findProjects, foldersIn, type Project, projectsOf, SESSION_FILE } from "./projects.js";
import { MESSAGES, readHead, sessionIdIn } from "./session-head.js";

/** How many projects, and how many files of each, are read to recognise a folder. */
const PROJECTS = 100;
const FILES = 20;

const SESSIONS_PER_PAUSE = 64;

/** Whether a folder holds sessions of Gemini CLI: found by how files in it begin, never by names alone. */
export function* recognises(root: string): Generator<void, boolean> {
  for (const { chats } of findProjects(root).slice(0, PROJECTS)) {
    for (const name of newestOfEachStem(filesIn(root, chats)).slice(0, FILES)) {
      const head = (yield* readHead(root, path.join(chats, name))) ?? {};
      if (textField(head, "sessionId") !== undefined && textField(head, "projectHash") !== undefined)
        return true;
    }
    yield;
  }
  return false;
}

export function tenants(root: string): string[] {
  return [...new Set(findProjects(root).map(({ tenantId }) => tenantId))].sort();
}

/** The sessions of a project, each once, and its sub-agents whose sessions are gone. */
export function* discover(root: string, tenantId: string): Generator<void, FoundSession[]> {
  const sessions = new Map<string, FoundSession>();
  for (const project of newestFirst(projectsOf(root, tenantId))) {
    const own = yield* sessionsIn(root, tenantId, project);
    // A session of a folder that was copied is the one in the copy.
    for (const session of own) if (!sessions.has(session.sessionId)) sessions.set(session.sessionId, session);
  }
  return [...sessions.values()];
}

/** One session: files of another name are only read where none of its own has its id. */
export function* locate(
  root: string,
  tenantId: string,
  sessionId: string,
): Generator<void, TranscriptFiles | undefined> {
  for (const { chats } of newestFirst(projectsOf(root, tenantId))) {
    const files = newestOfEachStem(filesIn(root, chats));
    const likely = files.filter((name) => name.includes(sessionId.slice(0, 8)));
    for (const name of likely) {
      const file = path.join(chats, name);
      if ((yield* sessionIdIn(root, file)) === sessionId && likely.length === 1)
        return sessionOf(root, tenantId, sessionId, file, foldersIn(root, chats));
    }
  }
  return (yield* discover(root, tenantId)).find((session) => session.sessionId === sessionId);
}

function* sessionsIn(root: string, tenantId: string, { chats }: Project): Generator<void, FoundSession[]> {
  const sessions: FoundSession[] = [];
  const ids = new Set<string>();
  const folders = foldersIn(root, chats);
  for (const name of newestOfEachStem(filesIn(root, chats))) {
    const file = path.join(chats, name);
    const own = yield* sessionIdIn(root, file);
    // Two files with one id are a session each: nothing says which is the newer.
    const sessionId = own === undefined || ids.has(own) ? stemOf(name) : own;
    ids.add(sessionId);
    sessions.push(sessionOf(root, tenantId, sessionId, file, folders));
    if (sessions.length % SESSIONS_PER_PAUSE === 0) yield;
  }
  for (const folder of folders.filter((name) => !ids.has(name))) {
    for (const agent of agentsIn(root, path.join(chats, folder))) {
      const sessionId = ids.has(agent.agentId) ? `${folder}.${agent.agentId}` : agent.agentId;
      ids.add(sessionId);
      sessions.push({
        tenantId,
        sessionId,
        files: [{ ...agent, agentId: "", isAgent: false }],
        relatives: [],
      });
    }
  }
  return sessions;
}

function sessionOf(
  root: string,
  tenantId: string,
  sessionId: string,
  file: string,
  folders: readonly string[],
): FoundSession {
  const agents = folders.includes(sessionId) ? agentsIn(root, path.join(path.dirname(file), sessionId)) : [];
  return {
    tenantId,
    sessionId,
    files: [{ ...fileOf(file), agentId: "", isAgent: false }, ...agents],
    relatives: [],
  };
}

function agentsIn(root: string, folder: string): TranscriptFile[] {
  return filesIn(root, folder)
    .filter((name) => /\.jsonl?$/.test(name))
    .map((name) => ({
      ...fileOf(path.join(folder, name)),
      agentId: name.slice(0, name.lastIndexOf(".")),
      isAgent: true,
    }));
}

function fileOf(file: string): Pick<TranscriptFile, "path" | "isOneConversation" | "arrayMember"> {
  const document = file.endsWith(".json") ? { arrayMember: MESSAGES } : {};
  return { path: file, isOneConversation: true, ...document };
}

/** A session that is resumed in a newer version goes on in a file of the same name with lines; the document stays behind. */
function newestOfEachStem(names: readonly string[]): string[] {
  const sessions = names.filter((name) => SESSION_FILE.test(name));
  const withLines = new Set(sessions.filter((name) => name.endsWith(".jsonl")).map(stemOf));
  return sessions.filter((name) => name.endsWith(".jsonl") || !withLines.has(stemOf(name)));
}

function stemOf(name: string): string {
  return SESSION_FILE.exec(name)![1]!;
}

function newestFirst(projects: readonly Project[]): Project[] {
  return [...projects].sort((a, b) => Number(a.isHashed) - Number(b.isHashed));
}
