import path from "node:path";
import { isJsonObject, type JsonObject, jsonIn, objectField, textField } from "../../../domain/json/json.js";
import { hash53 } from "../../../domain/text/fingerprints.js";
import { readableOrNone } from "../../files/bytes/contained-files.js";
import type { FaultyHead, HeadReader } from "../../transcripts/folder/file-heads.js";
import { copiesByKey } from "../../transcripts/folder/file-keys.js";
import { append, namesIn } from "../../transcripts/folder/file-lookups.js";
import type { TranscriptFolder } from "../../transcripts/folder/format.js";
import { headedFolder } from "../../transcripts/folder/headed-folder.js";
import {
  type AgentNote,
  loneSession,
  orphanTitle,
  type TranscriptFile,
  type TranscriptFileGroup,
} from "../../transcripts/folder/transcript-files.js";
import { agentIdOf } from "./telemetry.js";

const CHAT = /.\.jsonl$/;
const AGENT = /^agent-(.+)\.jsonl$/;

interface ChatHead extends FaultyHead {
  readonly isOwn: boolean;
  /** Each copy at its beginning names the session of the original. */
  readonly forkedFrom: string | undefined;
}

const heads: HeadReader<ChatHead> = {
  name: "qwen-code heads",
  none: { isOwn: false, forkedFrom: undefined },
  shape: { isOwn: "flag", forkedFrom: "text?" },
  mostLines: 100,
  isComplete: ({ isOwn }) => isOwn,
  after(head, record) {
    if (record === undefined || !isOwnRecord(record)) return head;
    return { isOwn: true, forkedFrom: textField(objectField(record, "forkedFrom"), "sessionId") };
  },
};

/** Claude Code's records have other messages. */
function isOwnRecord({ uuid, parentUuid, sessionId, type, message, systemPayload }: JsonObject): boolean {
  if (typeof uuid !== "string" || parentUuid === undefined || typeof sessionId !== "string") return false;
  return isJsonObject(message)
    ? Array.isArray(message.parts)
    : type === "system" && isJsonObject(systemPayload);
}

/** `root` is `~/.qwen`, its `projects`, or one project. */
function* filesOf(root: string, most = Number.POSITIVE_INFINITY): Generator<void, string[]> {
  const matches: string[] = [];
  const add = (folder: string, names: RegExp) => {
    const { files } = namesOf(root, folder);
    for (const name of files) if (names.test(name)) matches.push(path.join(folder, name));
  };
  const bases = [path.join(root, "projects"), root];
  const below = bases.flatMap((base) => namesOf(root, base).folders.map((name) => path.join(base, name)));
  for (const project of [root, ...below].slice(0, most)) {
    const subAgents = path.join(project, "subagents");
    add(path.join(project, "chats"), CHAT);
    for (const name of namesOf(root, subAgents).folders) add(path.join(subAgents, name), AGENT);
    yield;
  }
  return matches;
}

function namesOf(root: string, folder: string) {
  return readableOrNone(() => namesIn(root, folder)) ?? { files: [], folders: [] };
}

/** Named as Claude Code names its folder, so that a project is one tenant for all tools. */
function* sessionsOf(matches: ReadonlyMap<string, ChatHead>): Generator<void, TranscriptFileGroup[]> {
  const sessions: TranscriptFileGroup[] = [];
  const agents = new Map<string, TranscriptFile[]>();
  for (const file of matches.keys()) if (isAgent(file)) append(agents, path.dirname(file), agentFile(file));
  for (const [file, head] of matches) {
    if (isAgent(file)) continue;
    const chats = path.dirname(file);
    const { sessionId, tenantId: beside } = loneSession(file);
    const ofAgents = path.join(path.dirname(chats), "subagents", sessionId);
    // A single file may lie anywhere.
    const tenantId = (beside === "chats" && path.basename(path.dirname(chats))) || beside;
    const own = {
      tenantId,
      sessionId,
      files: [conversation(file), ...(agents.get(ofAgents) ?? [])] as const,
    };
    const origin = originOf(file, matches);
    const relatives =
      origin === undefined
        ? []
        : [{ tenantId, sessionId: head.forkedFrom!, files: [conversation(origin)] as const }];
    sessions.push({ ...own, relatives, fault: head.fault });
    agents.delete(ofAgents);
    yield;
  }
  for (const [folder, orphans] of agents) {
    const tenantId = path.basename(path.dirname(path.dirname(folder))) || "files";
    const parentId = path.basename(folder);
    for (const { path: file, agentId } of orphans) {
      const title = orphanTitle([agentId], parentId);
      const files = [conversation(file)] as const;
      sessions.push({ tenantId, sessionId: `${parentId}.${agentId}`, title, files, relatives: [] });
    }
  }
  return sessions;
}

/** Sessions that name each other, or in a ring, copied nothing. */
function originOf(file: string, matches: ReadonlyMap<string, ChatHead>): string | undefined {
  const next = (one: string) => {
    const named = matches.get(one)?.forkedFrom;
    return named === undefined ? undefined : path.join(path.dirname(file), `${named}.jsonl`);
  };
  const origin = next(file);
  const visited = new Set([file]);
  for (let one = origin; one !== undefined; one = next(one)) {
    if (visited.has(one)) return undefined;
    visited.add(one);
  }
  return origin !== undefined && matches.has(origin) ? origin : undefined;
}

const isAgent = (file: string) => path.basename(path.dirname(path.dirname(file))) === "subagents";

function conversation(file: string): TranscriptFile {
  return { path: file, agentId: "", isAgent: false, isOneConversation: true };
}

function agentFile(file: string): TranscriptFile {
  const agentId = AGENT.exec(path.basename(file))?.[1] ?? path.basename(file);
  const notePath = file.replace(/\.jsonl$/, ".meta.json");
  return { path: file, agentId, isAgent: true, isOneConversation: true, notePath };
}

export const folder: TranscriptFolder = {
  ...headedFolder<ChatHead, void>({
    heads,
    files: filesOf,
    isOwn: ({ isOwn }) => isOwn,
    *beside() {},
    sessions: sessionsOf,
  }),
  lineage: copiesByKey((record) => {
    const id = textField(record, "uuid");
    return id === undefined ? undefined : hash53(id);
  }),
};

export function readNote(text: string): AgentNote | undefined {
  const note = jsonIn(text);
  if (!isJsonObject(note)) return undefined;
  return {
    role: textField(note, "agentType"),
    description: textField(note, "description"),
    toolCallId: textField(note, "toolUseId"),
    parentAgentId: agentIdOf(textField(note, "parentAgentId")) ?? "",
    model: textField(note, "model"),
  };
}
