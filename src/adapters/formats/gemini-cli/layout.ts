import { createHash } from "node:crypto";
import path from "node:path";
import { LRUCache } from "lru-cache";
import { objectField, textField } from "../../../domain/json/json.js";
import { addTo } from "../../../domain/lists/lists.js";
import { UniqueNames, withSign } from "../../../domain/lists/unique-names.js";
import { readableOrNone, statContained, statEntry } from "../../files/bytes/contained-files.js";
import { firstRecord, readShort, shortRecord } from "../../files/bytes/read-short.js";
import { namesIn } from "../../transcripts/file-lookups.js";
import { type FolderLookup, foundOnce } from "../../transcripts/found-once.js";
import {
  type FoundSession,
  loneSession,
  orphanTitle,
  type TranscriptFile,
  type TranscriptFiles,
} from "../../transcripts/transcript-files.js";
import { MESSAGES } from "./record.js";

const SESSION_FILE = /^(session-.*)\.jsonl?$/;
const LONGEST_ID = 200;

/** Maximum number of projects, and of files in each, examined to recognise a folder. */
const MOST_LOOKED_AT = 20;

/** The ids of sessions by their files and the numbers of these: they stay the same, however much is added. */
const idsOfFiles = new LRUCache<string, string>({ max: 20_000 });

/** True if a folder contains sessions of Gemini CLI. It is decided by the beginnings of its files, never by names alone. */
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

export function* tenants(root: string, lookup?: FolderLookup): Generator<void, string[]> {
  return [...new Set((yield* projectsIn(root, lookup)).map(({ tenantId }) => tenantId))].sort();
}

/** The sessions of a project, each once, and sub-agents whose sessions are gone. */
export function* discover(
  root: string,
  tenantId: string,
  lookup?: FolderLookup,
): Generator<void, FoundSession[]> {
  const sessions = new Map<string, FoundSession>();
  for (const { chats, directory } of yield* projectsOf(root, tenantId, lookup)) {
    const own = new Map<string, readonly [TranscriptFile, ...TranscriptFile[]]>();
    const titles = new Map<string, string>();
    const { files, folders } = namesIn(root, chats);
    const foldersOf = new Set(folders);
    for (const [id, name] of yield* idsOf(root, chats, sessionFiles(files))) {
      const file = fileOf(path.join(chats, name));
      own.set(id, [file, ...(foldersOf.has(id) ? agentsIn(root, path.join(chats, id)) : [])]);
    }
    for (const folder of folders.filter((name) => !own.has(name))) {
      for (const { agentId, path: file } of agentsIn(root, path.join(chats, folder))) {
        own.set(`${folder}.${agentId}`, [fileOf(file)]);
        titles.set(`${folder}.${agentId}`, orphanTitle([agentId], folder));
      }
    }
    // A folder that was copied still holds the sessions that its copy holds.
    for (const [sessionId, its] of own) {
      if (sessions.has(sessionId)) continue;
      const title = titles.get(sessionId);
      sessions.set(sessionId, {
        tenantId,
        sessionId,
        directory,
        files: its,
        relatives: [],
        ...(title === undefined ? {} : { title }),
      });
    }
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

export function* inFile(root: string, file: string): Generator<void, readonly FoundSession[] | undefined> {
  const { sessionId, projectHash } = (yield* firstRecord(root, file, MESSAGES)) ?? {};
  if (typeof sessionId !== "string" || typeof projectHash !== "string") return undefined;
  const lone = loneSession(file);
  const id = sessionId.length > LONGEST_ID ? lone.sessionId : sessionId;
  const tenantId = lone.tenantId === "chats" ? path.basename(path.dirname(root)) : lone.tenantId;
  return [
    { ...lone, tenantId, sessionId: id, files: [fileOf(file), ...agentsIn(root, path.join(root, id))] },
  ];
}

/**
 * Returns the ids of sessions and their files. If several files have one id, it belongs to the file with the name that Gemini CLI forms
 * from the id. Without such a file nothing states which is newer, and it belongs to the first. The other files are sessions, too, with
 * the names of their files.
 */
function* idsOf(root: string, chats: string, names: readonly string[]): Generator<void, Map<string, string>> {
  const claims = new Map<string, string[]>();
  const others: string[] = [];
  for (const name of names) {
    const id = yield* sessionIdIn(root, path.join(chats, name));
    if (id === undefined) others.push(name);
    else addTo(claims, id, name);
    yield;
  }
  const ids = new Map<string, string>();
  const taken = new UniqueNames();
  for (const [id, claiming] of claims) {
    const owner = claiming.find((name) => baseName(name).endsWith(`-${id.slice(0, 8)}`)) ?? claiming[0]!;
    ids.set(taken.take(id, withSign(id, "_")), owner);
    for (const name of claiming) if (name !== owner) others.push(name);
  }
  for (const name of others) {
    const base = baseName(name);
    ids.set(taken.take(base, withSign(base, "_")), name);
  }
  return ids;
}

const baseName = (name: string) => SESSION_FILE.exec(name)![1]!;

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

/** A session that a newer version resumes continues in lines, in a file of the same name: its document remains. */
function sessionFiles(names: readonly string[]): string[] {
  const all = new Set(names);
  return names.filter((name) => SESSION_FILE.test(name) && (name.endsWith("l") || !all.has(`${name}l`)));
}

export interface Project {
  readonly tenantId: string;
  readonly chats: string;
  /** The working directory, if recorded. */
  readonly directory: string | undefined;
  /** True if its folder is named by a hash: of a project's two folders, the older. */
  readonly isHashed: boolean;
}

const HASH = /^[0-9a-f]{64}$/;
const ABSOLUTE = /^(\/|[A-Za-z]:[\\/])/;

/** Maximum bytes read from a file with the locations of projects. */
const MOST_BYTES = 1024 * 1024;

/** Locations of projects, by the possible names of their folders. */
type Places = ReadonlyMap<string, string>;

/** The folders of chats in `~/.gemini`, in its `tmp`, in one project's folder there, or a folder of chats itself. */
function findProjects(root: string): readonly Project[] {
  const places = placesByName(root);
  const projects = foldersOfProjects(root)
    .map((folder) => ({ folder, chats: path.join(folder, "chats") }))
    .filter(({ chats }) => readableOrNone(() => statContained(root, chats))?.isDirectory())
    .map(({ folder, chats }) => projectOf(root, folder, chats, places));
  if (projects.length === 0) projects.push(projectOf(root, path.dirname(root), root, places));
  return projects;
}

function foldersOfProjects(root: string): string[] {
  const bases = [root, path.join(root, "tmp")];
  return [root, ...bases.flatMap((base) => namesIn(root, base).folders.map((name) => path.join(base, name)))];
}

/** Projects that something was typed in, those too whose chats are all gone, with the file that holds what was typed. */
export function projectsWithLogs(root: string): (Project & { readonly logs: string })[] {
  const places = placesByName(root);
  return foldersOfProjects(root).flatMap((folder) => {
    const logs = path.join(folder, "logs.json");
    const isThere = readableOrNone(() => statContained(root, logs))?.isFile();
    return isThere ? [{ ...projectOf(root, folder, path.join(folder, "chats"), places), logs }] : [];
  });
}

const projectsIn = foundOnce(function* (root) {
  yield;
  return findProjects(root);
});

/** The folders of chats of one tenant, the newer ones first. */
function* projectsOf(root: string, tenantId: string, lookup?: FolderLookup): Generator<void, Project[]> {
  const own = (yield* projectsIn(root, lookup)).filter((project) => project.tenantId === tenantId);
  return own.sort((a, b) => Number(a.isHashed) - Number(b.isHashed));
}

/** One project is one tenant, whichever tool worked in it: it is called as Claude Code calls its folder. */
function projectOf(root: string, folder: string, chats: string, places: Places): Project {
  const name = path.basename(folder);
  const noted = readShort(root, path.join(folder, ".project_root"), MOST_BYTES);
  const written = noted?.split("\n", 1)[0]?.trim() ?? "";
  const place = ABSOLUTE.test(written) ? written : places.get(name);
  const tenantId = place?.replace(/[^a-zA-Z0-9]/g, "-") ?? name;
  return { tenantId, chats, directory: place, isHashed: HASH.test(name) };
}

/** Reads `projects.json`: a folder is named by the hash of its path, or by a separate name. */
function placesByName(root: string): Places {
  const places = new Map<string, string>();
  const registry = shortRecord(root, path.join(root, "projects.json"), MOST_BYTES);
  for (const [place, slug] of Object.entries(objectField(registry, "projects"))) {
    if (!ABSOLUTE.test(place)) continue;
    places.set(createHash("sha256").update(place).digest("hex"), place);
    if (typeof slug === "string") places.set(slug, place);
  }
  return places;
}
