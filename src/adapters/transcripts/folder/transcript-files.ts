import path from "node:path";
import type { SessionKey } from "../../../domain/session/session-key.js";
import type { FileIdentity } from "../../files/bytes/file-identities.js";
import { unpackedName } from "../../files/bytes/unpack.js";

export interface AgentNote {
  readonly role: string | undefined;
  readonly description: string | undefined;
  readonly toolCallId: string | undefined;
  /** The model, if the agent's records do not name it. Default is that they do. */
  readonly model?: string | undefined;
  /** The spawning agent, if no call states it; `""` for the session itself. */
  readonly parentAgentId?: string | undefined;
}

export interface TranscriptFile {
  readonly path: string;
  /** The sub-agent; `""` for the session's conversation; a unique name for any other file. */
  readonly agentId: string;
  readonly isAgent: boolean;
  readonly isOneConversation: boolean;
  /**
   * Array with the records of a JSON document; without it, each line is a record. A document is rewritten when it grows, so its data is
   * derived again.
   */
  readonly arrayMember?: string | undefined;
  readonly notePath?: string | undefined;
  readonly note?: AgentNote | undefined;
  /** The agent's group, which the result of the starting call names. */
  readonly groupId?: string | undefined;
  /** The agent whose conversation continues here; `""` for the session's own. The file has then a unique name instead of a sub-agent. */
  readonly continues?: string | undefined;
  readonly copiedFrom?: readonly string[] | undefined;
  /** The file of the same conversation that it continues; the part after this end was taken back. */
  readonly base?: FileBase | undefined;
  /** Length of the continued part, in bytes, for a file of another session. It contributes only messages. */
  readonly inheritedTo?: number | undefined;
}

export interface FileBase {
  readonly path: string;
  readonly end: number;
}

export function isOwnConversation({ agentId, continues }: TranscriptFile): boolean {
  return agentId === "" || continues === "";
}

export interface TranscriptFiles extends SessionKey {
  readonly files: readonly [TranscriptFile, ...TranscriptFile[]];
}

export interface TranscriptFileGroup extends TranscriptFiles {
  readonly title?: string | undefined;
  readonly directory?: string | undefined;
  readonly fault?: string | undefined;
  readonly relatives: readonly TranscriptFiles[];
  /** Content of packed files at opening, by path. Default is their current content. */
  readonly packed?: Readonly<Record<string, FileIdentity>> | undefined;
}

export function loneSession(file: string): TranscriptFileGroup {
  const tenantId = path.basename(path.dirname(file)) || "files";
  const sessionId = path.basename(unpackedName(file)).replace(/\.jsonl?$/, "");
  const conversation = { path: file, agentId: "", isAgent: false, isOneConversation: false };
  return { tenantId, sessionId, files: [conversation], relatives: [] };
}

/** As Claude Code names projects: each character except letters and digits becomes `-`. */
export function tenantOfDirectory(directory: string | undefined): string {
  return directory === undefined ? "unknown" : directory.replace(/[^a-zA-Z0-9]/g, "-").slice(0, 200);
}

/** In bytes: a longer file is not a note. */
export const MAX_NOTE = 64 * 1024;

/**
 * For a sub-agent that is a separate session because its parent is absent.
 * @param names candidates for its name: its role, its name
 */
export function orphanTitle(names: readonly (string | undefined)[], parentId: string): string {
  const nameSet = new Set(names.filter((name) => name !== undefined));
  return `${[...nameSet].join(" ") || "Agent"}, a sub-agent of ${parentId} (not here)`;
}
