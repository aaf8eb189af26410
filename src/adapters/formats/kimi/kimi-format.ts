import path from "node:path";
import { textField } from "../../../domain/json/json.js";
import { shortRecord } from "../../files/bytes/read-short.js";
import type { FaultyHead } from "../../transcripts/folder/file-heads.js";
import { append, filesBelow } from "../../transcripts/folder/file-lookups.js";
import type { TranscriptFormat } from "../../transcripts/folder/format.js";
import { headedFolder } from "../../transcripts/folder/headed-folder.js";
import {
  MAX_NOTE,
  type TranscriptFile,
  type TranscriptFileGroup,
  tenantOfDirectory,
} from "../../transcripts/folder/transcript-files.js";
import { readingSteps, tasksOf } from "../../transcripts/source/reading-tasks.js";
import { KimiFollower } from "./follow.js";
import { type KimiRecord, readRecord } from "./parts.js";

type WireHead = FaultyHead & { readonly isOwn: boolean };

/** An agent lies five folders below `~/.kimi-code`. */
function* filesNamed(name: string, root: string, most?: number): Generator<void, string[]> {
  return (yield* filesBelow(root, 5, most)).filter((file) => path.basename(file) === name);
}

type States = Readonly<Record<string, readonly (string | null | undefined)[]>>;

function* statesIn(root: string): Generator<void, string> {
  const states: Record<string, States[string]> = {};
  for (const file of yield* filesNamed("state.json", root)) {
    const state = shortRecord(root, file, MAX_NOTE);
    states[path.dirname(file)] = [textField(state, "title"), textField(state, "workDir")];
  }
  return JSON.stringify(states);
}

function* sessionsOf(
  wires: ReadonlyMap<string, WireHead>,
  states = "{}",
): Generator<void, TranscriptFileGroup[]> {
  const stored = JSON.parse(states) as States;
  const byFolder = new Map<string, string[]>();
  for (const file of wires.keys()) append(byFolder, path.resolve(file, "../../.."), file);
  yield;
  return [...byFolder].map(([folder, files]) => {
    const [title, directory] = stored[folder] ?? [];
    const tenantId = directory ? tenantOfDirectory(directory) : path.basename(path.dirname(folder));
    const main = files.find((file) => agentOf(file) === "main") ?? files[0]!;
    const agents = files.filter((file) => file !== main);
    return {
      tenantId: tenantId || "unknown",
      sessionId: path.basename(folder).replace(/^session_/, "") || "session",
      files: [fileOf(main, ""), ...agents.map((file) => fileOf(file, agentOf(file)))],
      relatives: [],
      title: title ?? undefined,
      directory: directory ?? undefined,
    };
  });
}

const agentOf = (file: string) => path.basename(path.dirname(file));

function fileOf(file: string, agentId: string): TranscriptFile {
  return { path: file, agentId, isAgent: agentId !== "", isOneConversation: true };
}

/** Reads the wire protocol of Kimi Code. @see `docs/experimental.md` */
export const kimiFormat: TranscriptFormat<KimiRecord> = {
  name: "kimi",
  folder: headedFolder<WireHead, string>({
    heads: {
      name: "kimi heads",
      none: { isOwn: false },
      shape: { isOwn: "flag" },
      mostLines: 1,
      isComplete: ({ isOwn }) => isOwn,
      after: (_, record) => ({ isOwn: record?.type === "metadata" && record.protocol_version !== undefined }),
    },
    files: (root, most) => filesNamed("wire.jsonl", root, most),
    isOwn: ({ isOwn }) => isOwn,
    beside: statesIn,
    sessions: sessionsOf,
  }),
  parts: readRecord,
  follower: (recorder) => new KimiFollower(recorder),
  messageMembers: { own: "message" },
  instantMember: "time",
};

export const steps = readingSteps(kimiFormat);

export const KIMI_TASKS = tasksOf(import.meta.url, "kimi-format", steps);
