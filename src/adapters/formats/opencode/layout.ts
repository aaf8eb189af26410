import path from "node:path";
import { CachedWhileSame } from "../../../application/cached-while-same.js";
import { isJsonObject, jsonIn } from "../../../domain/json/json.js";
import { addTo, firstWhere } from "../../../domain/lists/lists.js";
import { hash53 } from "../../../domain/text/fingerprints.js";
import { readableOrNone } from "../../files/bytes/contained-files.js";
import { readShort } from "../../files/bytes/read-short.js";
import type { FolderLookup, OnWarning } from "../../transcripts/folder/discovered-once.js";
import type { Lineage, TranscriptFolder } from "../../transcripts/folder/format.js";
import {
  loneSession,
  orphanTitle,
  type TranscriptFile,
  type TranscriptFileGroup,
  type TranscriptFiles,
} from "../../transcripts/folder/transcript-files.js";
import { copyKey } from "./message.js";
import type { OpenCodeSession } from "./opencode-session.js";
import { isIdentifiable, linesOf, PACKED_SESSIONS } from "./packed-sessions.js";
import { storageFolders, storedInFiles } from "./storage-files.js";
import {
  databasesIn,
  placeInDatabase,
  sessionsInDatabase,
  stateOf,
  storedSessions,
} from "./stored-sessions.js";

const MESSAGES = "messages";

const EXPORT = /^\s*\{\s*"info"\s*:\s*\{\s*"id"\s*:\s*"(ses_[^"\\]{1,200})"/;

const MOST_RELATIVES = 8;

const FORK = /^(.*) \(fork #\d+\)$/s;

/** Databases, older files, or a file that the user named. */
export const OPENCODE_FOLDER: TranscriptFolder = {
  packed: PACKED_SESSIONS,

  *recognises(root) {
    for (const database of databasesIn(root)) {
      if (readableOrNone(() => sessionsInDatabase(root, database)) !== undefined) return true;
      yield;
    }
    return (yield* storedInFiles(root)).length > 0;
  },

  *tenants(root, lookup) {
    const { byTenant, warnings } = yield* sessionsIn(root);
    for (const warning of warnings) lookup?.warn?.(warning);
    return [...byTenant.keys()].sort();
  },

  *discover(root, tenantId, lookup) {
    const sessions = (yield* sessionsIn(root)).byTenant.get(tenantId) ?? [];
    return lookup?.since === undefined ? [...sessions] : yield* identifiable(sessions, lookup);
  },

  *relatives(root, { tenantId, sessionId }) {
    const sessions = (yield* sessionsIn(root)).byTenant.get(tenantId);
    return [...(sessions?.find((one) => one.sessionId === sessionId)?.relatives ?? [])];
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

interface FolderSessions {
  readonly byTenant: ReadonlyMap<string, readonly TranscriptFileGroup[]>;
  readonly warnings: readonly Parameters<OnWarning>[0][];
}

const cache = new CachedWhileSame<string, FolderSessions>({ max: 4 });

function* sessionsIn(root: string): Generator<void, FolderSessions> {
  const databases = databasesIn(root).flatMap((file) => [file, `${file}-wal`]);
  const state = stateOf(root, [...databases, ...storageFolders(root)]);
  const same = cache.get(root, state);
  if (same !== undefined) return same;
  const warnings: Parameters<OnWarning>[0][] = [];
  const byTenant = new Map<string, TranscriptFileGroup[]>();
  for (const session of sessionsOf(yield* storedSessions(root, (warning) => warnings.push(warning))))
    addTo(byTenant, session.tenantId, session);
  return cache.keep(root, state, { byTenant, warnings });
}

function* identifiable(
  sessions: readonly TranscriptFileGroup[],
  lookup: FolderLookup,
): Generator<void, TranscriptFileGroup[]> {
  const databaseOf = ({ files }: TranscriptFileGroup) => placeInDatabase(files[0].path)?.database;
  const refused = new Set<string | undefined>();
  for (const database of new Set(sessions.map(databaseOf)))
    if (database !== undefined && !(yield* isIdentifiable(database, lookup))) refused.add(database);
  return sessions.filter((session) => !refused.has(databaseOf(session)));
}

function* sessionsOfDatabase(
  root: string,
  file: string,
): Generator<void, readonly TranscriptFileGroup[] | undefined> {
  yield;
  const sessions = PACKED_SESSIONS.isPacked(`${file}/session`) ? sessionsInDatabase(root, file) : undefined;
  return sessions && sessionsOf([...sessions.byId.values()]);
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

/** Spawned sessions are sub-agents. A session with a missing parent, or in a ring, is a session itself. */
function sessionsOf(stored: readonly OpenCodeSession[]): TranscriptFileGroup[] {
  const byId = new Map(stored.map((session) => [session.id, session]));
  const children = new Map<string, OpenCodeSession[]>();
  const roots: OpenCodeSession[] = [];
  const rootOf = rootsOf(stored, byId);
  for (const session of stored) {
    const root = rootOf.get(session)!;
    if (root === session) roots.push(session);
    else addTo(children, root.id, session);
  }
  const bases = new Map<string, OpenCodeSession[]>();
  for (const session of roots) addTo(bases, baseTitle(session), session);
  for (const alike of bases.values()) alike.sort((a, b) => b.createdAt - a.createdAt);
  return roots.map((session) => ({
    ...filesOf(session, children.get(session.id) ?? []),
    ...(session.directory ? { directory: session.directory } : {}),
    ...(session.parentId === undefined || byId.has(session.parentId)
      ? {}
      : { title: orphanTitle([session.title], session.parentId) }),
    relatives: relativesOf(session, bases, byId).map((one) => filesOf(one, [])),
  }));
}

/** Follows each parent once: a chain of parents may be as long as the list. */
function rootsOf(
  stored: readonly OpenCodeSession[],
  byId: ReadonlyMap<string, OpenCodeSession>,
): ReadonlyMap<OpenCodeSession, OpenCodeSession> {
  const roots = new Map<OpenCodeSession, OpenCodeSession>();
  for (const session of stored) {
    const path = new Set<OpenCodeSession>();
    let top = session;
    while (!roots.has(top) && !path.has(top)) {
      path.add(top);
      top = byId.get(top.parentId ?? "") ?? top;
    }
    const isRing = path.has(top) && byId.has(top.parentId ?? "");
    const root = roots.get(top) ?? top;
    let isInRing = false;
    for (const one of path) {
      isInRing ||= isRing && one === top;
      roots.set(one, isInRing ? one : root);
    }
  }
  return roots;
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

/** Named as Claude Code names its folder, so that a project is one tenant for all tools. */
function tenantOf({ directory, projectId }: OpenCodeSession): string {
  return path.isAbsolute(directory ?? "") ? directory!.replace(/[^a-zA-Z0-9]/g, "-") : projectId;
}

function baseTitle({ title, directory }: OpenCodeSession): string {
  return `${directory}\0${FORK.exec(title ?? "")?.[1] ?? title ?? ""}`;
}

/**
 * Sessions that may be copied in a session: the recorded ones, otherwise older sessions with the base of its title.
 * @param bases sessions by title, the newest first
 */
function relativesOf(
  session: OpenCodeSession,
  bases: ReadonlyMap<string, readonly OpenCodeSession[]>,
  byId: ReadonlyMap<string, OpenCodeSession>,
): readonly OpenCodeSession[] {
  const recorded = byId.get(session.forkOf ?? "");
  if (recorded !== undefined) return [recorded];
  if (!FORK.test(session.title ?? "")) return [];
  const alike = bases.get(baseTitle(session)) ?? [];
  const older = firstWhere(0, alike.length, (i) => alike[i]!.createdAt < session.createdAt);
  return alike.slice(older, older + MOST_RELATIVES);
}
