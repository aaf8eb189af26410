import path from "node:path";
import { KeptWhileSame } from "../../../application/kept-while-same.js";
import { isJsonObject, jsonIn } from "../../../domain/json/json.js";
import { addTo } from "../../../domain/lists/lists.js";
import { hash53 } from "../../../domain/text/fingerprints.js";
import { readableOrNone } from "../../files/bytes/contained-files.js";
import { readShort } from "../../files/bytes/read-short.js";
import type { Lineage, TranscriptFolder } from "../../transcripts/format.js";
import {
  type FoundSession,
  loneSession,
  orphanTitle,
  type TranscriptFile,
  type TranscriptFiles,
} from "../../transcripts/transcript-files.js";
import { copyKey } from "./message.js";
import type { OpenCodeSession } from "./opencode-session.js";
import { linesOf, PACKED_SESSIONS } from "./packed-sessions.js";
import { storageFolders, storedInFiles } from "./storage-files.js";
import { databasesIn, sessionsInDatabase, stateOf, storedSessions } from "./stored-sessions.js";

/** The member of an export that holds its messages. */
const MESSAGES = "messages";

/** How an export begins. */
const EXPORT = /^\s*\{\s*"info"\s*:\s*\{\s*"id"\s*:\s*"(ses_[^"\\]{1,200})"/;

/** How many sessions one may be a fork of, as far as its title tells. */
const MOST_RELATIVES = 8;

const FORK = /^(.*) \(fork #\d+\)$/s;

/** The sessions of OpenCode in a folder: in databases, in the files of before, or in a file that was named. */
export const OPENCODE_FOLDER: TranscriptFolder = {
  packed: PACKED_SESSIONS,

  *recognises(root) {
    for (const database of databasesIn(root)) {
      if (readableOrNone(() => sessionsInDatabase(root, database)) !== undefined) return true;
      yield;
    }
    return (yield* storedInFiles(root)).length > 0;
  },

  *tenants(root) {
    return [...new Set((yield* sessionsIn(root)).map(({ tenantId }) => tenantId))].sort();
  },

  *discover(root, tenantId) {
    return (yield* sessionsIn(root)).filter((session) => session.tenantId === tenantId);
  },

  *locate(root, tenantId, sessionId) {
    return (yield* sessionsIn(root)).find((one) => one.tenantId === tenantId && one.sessionId === sessionId);
  },

  *relatives(root, { tenantId, sessionId }) {
    const found = (yield* sessionsIn(root)).find(
      (one) => one.tenantId === tenantId && one.sessionId === sessionId,
    );
    return [...(found?.relatives ?? [])];
  },

  *inFile(root, file) {
    const beginning = readableOrNone(() => readShort(root, file, 1_024));
    const id = EXPORT.exec(beginning ?? "")?.[1];
    if (id === undefined) return yield* sessionsOfDatabase(root, file);
    const lone = loneSession(file);
    const conversation = {
      path: file,
      agentId: "",
      isAgent: false,
      isOneConversation: true,
      arrayMember: MESSAGES,
    };
    return [{ ...lone, sessionId: id, files: [conversation] }];
  },

  *lineage(root, { relatives }, file): Generator<void, Lineage> {
    if (file.agentId !== "" || relatives.length === 0) return { name: "", isReplay: () => false };
    const keys = new Set<number>();
    for (const relative of relatives) yield* addCopyKeys(root, relative.files[0].path, keys);
    const isReplay = (record: Parameters<Lineage["isReplay"]>[0]) => {
      const key = copyKey(record);
      return key !== undefined && keys.has(hash53(key));
    };
    return { name: relatives.map(({ sessionId }) => sessionId).join(" "), isReplay };
  },
};

const kept = new KeptWhileSame<string, readonly FoundSession[]>({ max: 4 });

/** The sessions of a folder. They are found again when a database was written to, or files were added to those of before. */
function* sessionsIn(root: string): Generator<void, readonly FoundSession[]> {
  const databases = databasesIn(root).flatMap((file) => [file, `${file}-wal`]);
  const state = stateOf(root, [...databases, ...storageFolders(root)]);
  return kept.get(root, state) ?? kept.keep(root, state, foundSessions(yield* storedSessions(root)));
}

function* sessionsOfDatabase(
  root: string,
  file: string,
): Generator<void, readonly FoundSession[] | undefined> {
  yield;
  const sessions = PACKED_SESSIONS.isPacked(`${file}/session`) ? sessionsInDatabase(root, file) : undefined;
  return sessions && foundSessions([...sessions.byId.values()]);
}

function* addCopyKeys(root: string, file: string, keys: Set<number>): Generator<void, void> {
  for (const lines of linesOf(root, file)) {
    for (const line of lines?.split("\n") ?? []) {
      const record = jsonIn(line);
      const key = isJsonObject(record) ? copyKey(record) : undefined;
      if (key !== undefined) keys.add(hash53(key));
    }
    yield;
  }
}

/** Sessions with those that they spawned as their sub-agents. One whose parent is not here, or is among its own, is a session itself. */
export function foundSessions(stored: readonly OpenCodeSession[]): FoundSession[] {
  const byId = new Map(stored.map((session) => [session.id, session]));
  const children = new Map<string, OpenCodeSession[]>();
  const roots: OpenCodeSession[] = [];
  for (const session of stored) {
    const root = rootOf(session, byId);
    if (root === session) roots.push(session);
    else addTo(children, root.id, session);
  }
  const bases = new Map<string, OpenCodeSession[]>();
  for (const session of roots) addTo(bases, baseTitle(session), session);
  return roots.map((session) => ({
    ...filesOf(session, children.get(session.id) ?? []),
    ...(session.directory ? { directory: session.directory } : {}),
    ...(session.parentId === undefined || byId.has(session.parentId)
      ? {}
      : { title: orphanTitle([session.title], session.parentId) }),
    relatives: relativesOf(session, bases, byId).map((one) => filesOf(one, [])),
  }));
}

function rootOf(session: OpenCodeSession, byId: ReadonlyMap<string, OpenCodeSession>): OpenCodeSession {
  const seen = new Set<OpenCodeSession>();
  let root = session;
  while (!seen.has(root)) {
    seen.add(root);
    const parent = root.parentId === undefined ? undefined : byId.get(root.parentId);
    if (parent === undefined) return root;
    root = parent;
  }
  // A ring: each of its sessions stands for itself.
  return isInRing(session, byId) ? session : root;
}

function isInRing(session: OpenCodeSession, byId: ReadonlyMap<string, OpenCodeSession>): boolean {
  const seen = new Set<OpenCodeSession>();
  for (
    let one = byId.get(session.parentId ?? "");
    one !== undefined && !seen.has(one);
    one = byId.get(one.parentId ?? "")
  ) {
    if (one === session) return true;
    seen.add(one);
  }
  return false;
}

function filesOf(session: OpenCodeSession, agents: readonly OpenCodeSession[]): TranscriptFiles {
  const ordered = agents.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
  const own = { path: session.path, agentId: "", isAgent: false, isOneConversation: true };
  const files = ordered.map((agent): TranscriptFile => {
    const parentAgentId = agent.parentId === session.id ? "" : agent.parentId;
    const note = { role: agent.agent, description: agent.title, toolCallId: undefined, parentAgentId };
    return { path: agent.path, agentId: agent.id, isAgent: true, isOneConversation: true, note };
  });
  return { tenantId: tenantOf(session), sessionId: session.id, files: [own, ...files] };
}

/** One project is one tenant, whichever tool worked in it: it is called as Claude Code calls its folder. */
function tenantOf({ directory, projectId }: OpenCodeSession): string {
  return path.isAbsolute(directory ?? "") ? directory!.replace(/[^a-zA-Z0-9]/g, "-") : projectId;
}

function baseTitle({ title, directory }: OpenCodeSession): string {
  return `${directory}\0${FORK.exec(title ?? "")?.[1] ?? title ?? ""}`;
}

/** The sessions that one may hold copies of: by what is recorded, else older ones with the title that it was given its own by. */
function relativesOf(
  session: OpenCodeSession,
  bases: ReadonlyMap<string, readonly OpenCodeSession[]>,
  byId: ReadonlyMap<string, OpenCodeSession>,
): readonly OpenCodeSession[] {
  const recorded = byId.get(session.forkOf ?? "");
  if (recorded !== undefined) return [recorded];
  if (!FORK.test(session.title ?? "")) return [];
  const older = (bases.get(baseTitle(session)) ?? []).filter((one) => one.createdAt < session.createdAt);
  return older.sort((a, b) => b.createdAt - a.createdAt).slice(0, MOST_RELATIVES);
}
