import path from "node:path";
import { type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import { readableOrNone } from "../../files/bytes/contained-files.js";
import { eachLine } from "../../files/bytes/line.js";
import { parseLine } from "../../files/bytes/parse-line.js";
import { readBeginning } from "../../files/bytes/read-short.js";
import type { FolderLookup } from "../../transcripts/folder/discovered-once.js";
import { append, namesIn } from "../../transcripts/folder/file-lookups.js";
import {
  loneSession,
  type TranscriptFile,
  type TranscriptFileGroup,
  type TranscriptFiles,
} from "../../transcripts/folder/transcript-files.js";
import { titleOfOrphan } from "./agent-note.js";
import { relativesIn } from "./lineage.js";
import { AGENT_FILE, type ProjectFolder, projectFolder, SUFFIX } from "./project-folder.js";

/** Contains no projects. */
const SUB_AGENTS = "subagents";

/** `workflows/<run>` has depth two. */
const MAX_DEPTH = 6;

/** Relative to `subagents`; the folder has the name of the run. */
const WORKFLOW_AGENT = /^workflows\/([^/]+)\/agent-[^/]+\.jsonl$/;

/** A workflow's journal about its sub-agents: not a transcript. */
const JOURNAL = "journal.jsonl";

export function* tenants(root: string): Generator<void, string[]> {
  yield;
  return namesIn(root, root).folders;
}

/** An unreadable folder hides only its own content. */
export function* discover(
  root: string,
  tenantId: string,
  { cache }: FolderLookup = {},
): Generator<void, TranscriptFileGroup[]> {
  const project = yield* projectFolder(root, tenantId, true, cache);
  const { folder, folders } = project;
  const ids = new Set(project.sessionIds);
  const agents = new Map<string, TranscriptFile[]>();
  for (const parentId of project.agentsBeside.keys()) agents.set(parentId, agentsBeside(project, parentId));
  for (const name of folders) {
    const below = readableOrNone(() => agentsBelow(root, path.join(folder, name, SUB_AGENTS)));
    for (const file of below ?? []) append(agents, name, file);
    yield;
  }
  const sessions: TranscriptFileGroup[] = [];
  for (const sessionId of ids) {
    const own = agents.get(sessionId) ?? [];
    agents.delete(sessionId);
    const session = sessionOf(folder, tenantId, sessionId, own);
    const fault = project.heads.get(sessionId + SUFFIX)?.fault;
    const relatives = relativesIn(project, session);
    sessions.push({ ...session, relatives, ...(fault === undefined ? {} : { fault }) });
    yield;
  }
  for (const [parentId, orphans] of agents) {
    for (const orphan of orphans.filter((file) => path.basename(file.path) !== JOURNAL)) {
      const sessionId = freeId(ids, parentId, withoutSuffix(path.basename(orphan.path)));
      ids.add(sessionId);
      const conversation = { path: orphan.path, agentId: "", isAgent: false, isOneConversation: true };
      const title = titleOfOrphan(root, orphan, parentId);
      sessions.push({ tenantId, sessionId, title, files: [conversation], relatives: [] });
    }
  }
  return sessions;
}

/** Reads no folders of other sessions, except for a sub-agent whose session is gone. */
export function* locate(
  root: string,
  tenantId: string,
  sessionId: string,
): Generator<void, TranscriptFiles | undefined> {
  const project = yield* projectFolder(root, tenantId, false);
  const { folder, folders, sessionIds } = project;
  if (!sessionIds.has(sessionId)) {
    return (yield* discover(root, tenantId)).find((session) => session.sessionId === sessionId);
  }
  const own = agentsBeside(project, sessionId);
  const below = folders.includes(sessionId)
    ? agentsBelow(root, path.join(folder, sessionId, SUB_AGENTS))
    : [];
  return sessionOf(folder, tenantId, sessionId, [...own, ...below]);
}

/** Includes sub-agents beside the file; the file of a sub-agent is a separate session. */
export function* inFile(
  root: string,
  file: string,
): Generator<void, readonly TranscriptFileGroup[] | undefined> {
  if (!holdsRecords(root, file)) return undefined;
  const lone = loneSession(file);
  const session = yield* locate(path.dirname(root), lone.tenantId, lone.sessionId);
  return [session?.files[0].path === file ? { ...session, relatives: [] } : lone];
}

function sessionOf(
  folder: string,
  tenantId: string,
  sessionId: string,
  agents: readonly TranscriptFile[],
): TranscriptFiles {
  const file = path.join(folder, sessionId + SUFFIX);
  const conversation = { path: file, agentId: "", isAgent: false, isOneConversation: false };
  const copiedFrom = [file];
  return { tenantId, sessionId, files: [conversation, ...agents.map((agent) => ({ ...agent, copiedFrom }))] };
}

function agentsBeside({ folder, agentsBeside }: ProjectFolder, sessionId: string): TranscriptFile[] {
  return (agentsBeside.get(sessionId) ?? []).map((name) => agentFile(folder, path.join(folder, name), name));
}

function agentsBelow(root: string, folder: string, top = folder, depth = 0): TranscriptFile[] {
  if (depth > MAX_DEPTH) return [];
  const { files, folders } = namesIn(root, folder);
  const session = files
    .filter((name) => name.endsWith(SUFFIX))
    .map((name) => agentFile(top, path.join(folder, name), name));
  const below = folders.flatMap((name) => agentsBelow(root, path.join(folder, name), top, depth + 1));
  return [...session, ...below];
}

function agentFile(top: string, file: string, name: string): TranscriptFile {
  const agentId = AGENT_FILE.exec(name)?.[1];
  const inside = path.relative(top, file).split(path.sep).join("/");
  return {
    path: file,
    agentId: agentId ?? withoutSuffix(inside),
    isAgent: agentId !== undefined,
    isOneConversation: true,
    notePath: `${withoutSuffix(file)}.meta.json`,
    groupId: WORKFLOW_AGENT.exec(inside)?.[1],
  };
}

function withoutSuffix(name: string): string {
  return name.slice(0, -SUFFIX.length);
}

/** Sub-agents of different sessions may have the same id. */
function freeId(taken: ReadonlySet<string>, parentId: string, name: string): string {
  if (!taken.has(name)) return name;
  let id = `${parentId}.${name}`;
  for (let i = 2; taken.has(id); i++) id = `${parentId}.${name}.${i}`;
  return id;
}

/** Maximum number of folders, of projects among them, and of files in each. */
const FOLDERS = 10_000;
const PROJECTS = 100;
const FILES = 20;

const LF = 0x0a;

const BEGINNING = 64 * 1024;
/** Bytes of all beginnings: a first prompt may hold files and images. */
const LONGEST_BEGINNING = 128 * 1024 * 1024;

/** The first records decide, never names alone. */
export function* recognises(root: string): Generator<void, boolean> {
  const folders = namesOrNone(root, root).folders.filter((name) => name !== SUB_AGENTS);
  const most = { bytes: LONGEST_BEGINNING };
  let projects = 0;
  for (const name of folders.slice(0, FOLDERS)) {
    const folder = path.join(root, name);
    const files = namesOrNone(root, folder).files.filter((file) => file.endsWith(SUFFIX));
    if (files.slice(0, FILES).some((file) => holdsRecords(root, path.join(folder, file), most))) return true;
    if (files.length > 0 && ++projects === PROJECTS) return false;
    yield;
  }
  return false;
}

function namesOrNone(root: string, folder: string) {
  return readableOrNone(() => namesIn(root, folder)) ?? { files: [], folders: [] };
}

/**
 * Reads on only while one line fills most of the beginning.
 * @param most bytes to read: reduced by those that were read
 */
function holdsRecords(root: string, file: string, most = { bytes: LONGEST_BEGINNING }): boolean {
  for (let length = BEGINNING; ; length *= 8) {
    const bytes = readBeginning(root, file, length) ?? new Uint8Array();
    let isOwn = false;
    eachLine({ from: 0, bytes }, (line) => {
      const { record } = parseLine(line);
      if (record !== undefined && isOwnRecord(record)) isOwn = true;
    });
    most.bytes -= length;
    const isCut = bytes.length === length && bytes.lastIndexOf(LF) < length / 2;
    if (isOwn || !isCut || most.bytes < length * 8) return isOwn;
  }
}

/**
 * No other supported tool writes these: a record with `isSidechain` (except Qwen Code's, with `parts`), a summary with a leaf, or a
 * snapshot.
 */
function isOwnRecord(record: JsonObject): boolean {
  const type = textField(record, "type");
  if (type === undefined) return false;
  if (type === "summary") return textField(record, "leafUuid") !== undefined;
  if (type === "file-history-snapshot") return record.snapshot !== undefined;
  return (
    textField(record, "uuid") !== undefined &&
    textField(record, "sessionId") !== undefined &&
    typeof record.isSidechain === "boolean" &&
    objectField(record, "message").parts === undefined
  );
}
