import { createHash } from "node:crypto";
import path from "node:path";
import { LRUCache } from "lru-cache";
import { objectField, textField } from "../../../domain/json/json.js";
import { addTo } from "../../../domain/lists/lists.js";
import { UniqueNames, withSign } from "../../../domain/lists/unique-names.js";
import { readableOrNone, statContained, statEntry } from "../../files/bytes/contained-files.js";
import { firstRecord, readShort, shortRecord } from "../../files/bytes/read-short.js";
import { discoveredOnce, type FolderLookup } from "../../transcripts/folder/discovered-once.js";
import { namesIn } from "../../transcripts/folder/file-lookups.js";
import {
  loneSession,
  orphanTitle,
  type TranscriptFile,
  type TranscriptFileGroup,
} from "../../transcripts/folder/transcript-files.js";
import { MESSAGES } from "./record.js";

const SESSION_FILE = /^(session-.*)\.jsonl?$/;
const LONGEST_ID = 200;

const MOST_LOOKED_AT = 20;

/** By file and its number: appending does not change a session's id. */
const idsOfFiles = new LRUCache<string, string>({ max: 20_000 });

/** Names alone never decide: reads the beginnings of files. */
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

export function* discover(
  root: string,
  tenantId: string,
  lookup?: FolderLookup,
): Generator<void, TranscriptFileGroup[]> {
  const sessions = new Map<string, TranscriptFileGroup>();
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
    // A copied folder contains the sessions of its original.
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

export function* inFile(
  root: string,
  file: string,
): Generator<void, readonly TranscriptFileGroup[] | undefined> {
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
 * Of several files with one id, the one that Gemini CLI names after the id has it, otherwise the first. The others are sessions with the
 * names of their files.
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

/** A newer version resumes a session in a file of lines with the same name: the document remains. */
function sessionFiles(names: readonly string[]): string[] {
  const all = new Set(names);
  return names.filter((name) => SESSION_FILE.test(name) && (name.endsWith("l") || !all.has(`${name}l`)));
}

export interface Project {
  readonly tenantId: string;
  readonly chats: string;
  readonly directory: string | undefined;
  /** Named by a hash: the older folder of a project. */
  readonly isHashed: boolean;
}

const HASH = /^[0-9a-f]{64}$/;
const ABSOLUTE = /^(\/|[A-Za-z]:[\\/])/;

const MOST_BYTES = 1024 * 1024;

type Places = ReadonlyMap<string, string>;

/** `root` is `~/.gemini`, its `tmp`, a project's folder there, or a folder of chats. */
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

/** Projects with typed input, even without chats, and the file with that input. */
export function projectsWithLogs(root: string): (Project & { readonly logs: string })[] {
  const places = placesByName(root);
  return foldersOfProjects(root).flatMap((folder) => {
    const logs = path.join(folder, "logs.json");
    const isThere = readableOrNone(() => statContained(root, logs))?.isFile();
    return isThere ? [{ ...projectOf(root, folder, path.join(folder, "chats"), places), logs }] : [];
  });
}

const projectsIn = discoveredOnce(function* (root) {
  yield;
  return findProjects(root);
});

function* projectsOf(root: string, tenantId: string, lookup?: FolderLookup): Generator<void, Project[]> {
  const own = (yield* projectsIn(root, lookup)).filter((project) => project.tenantId === tenantId);
  return own.sort((a, b) => Number(a.isHashed) - Number(b.isHashed));
}

/** Named as Claude Code names its folder, so that a project is one tenant for all tools. */
function projectOf(root: string, folder: string, chats: string, places: Places): Project {
  const name = path.basename(folder);
  const noted = readShort(root, path.join(folder, ".project_root"), MOST_BYTES);
  const written = noted?.split("\n", 1)[0]?.trim() ?? "";
  const place = ABSOLUTE.test(written) ? written : places.get(name);
  const tenantId = place?.replace(/[^a-zA-Z0-9]/g, "-") ?? name;
  return { tenantId, chats, directory: place, isHashed: HASH.test(name) };
}

/** `projects.json`: a hash of the path or a separate name identifies a folder. */
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
