import path from "node:path";
import type { FileIdentity } from "../files/bytes/file-identities.js";
import { unpackedName } from "../files/bytes/unpack.js";

/** Facts about a sub-agent besides its own records. */
export interface AgentNote {
  readonly role: string | undefined;
  readonly description: string | undefined;
  /** The tool call that spawned it. */
  readonly toolCallId: string | undefined;
  /** The model that it works with, where its own records do not say it. Default is that they do. */
  readonly model?: string | undefined;
  /** The sub-agent that spawned it, if no call states that; `""` for the session itself. */
  readonly parentAgentId?: string | undefined;
}

export interface TranscriptFile {
  readonly path: string;
  /** The sub-agent whose file it is; `""` for the conversation itself. Of another file among them, a unique name. */
  readonly agentId: string;
  /** True for a sub-agent's file; false for the conversation, or for another file among the sub-agents' files. */
  readonly isAgent: boolean;
  /** True if every line belongs to that agent, even if it names another agent. */
  readonly isOneConversation: boolean;
  /**
   * The member whose array holds the records, if the file is one JSON document; otherwise each line is a record. A document is rewritten
   * when it grows, so all data derived from it is derived again.
   */
  readonly arrayMember?: string | undefined;
  /** A small file beside it that describes it, where there may be one. */
  readonly notePath?: string | undefined;
  /** Facts about the sub-agent without that file. */
  readonly note?: AgentNote | undefined;
  /** The group of sub-agents that it is of: the result of the call that began it names it. */
  readonly groupId?: string | undefined;
  /**
   * The agent whose conversation continues in this file; `""` for the session's own. Such a file belongs to no sub-agent, and has a
   * unique name.
   */
  readonly continues?: string | undefined;
  /** The files whose records it may begin with copies of. */
  readonly copiedFrom?: readonly string[] | undefined;
  /** The file of the same conversation that it continues: the part of that file after this end was taken back. */
  readonly base?: FileBase | undefined;
  /** For a file of another session that this one continues: number of its bytes that come first. It contributes only messages. */
  readonly inheritedTo?: number | undefined;
}

/** The beginning of a file, up to a number of bytes. */
export interface FileBase {
  readonly path: string;
  readonly end: number;
}

/** True if a file holds the session's own conversation, or a part of it. */
export function isOwnConversation({ agentId, continues }: TranscriptFile): boolean {
  return agentId === "" || continues === "";
}

/** The files of a session: its conversation, then its sub-agents'. */
export interface TranscriptFiles {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly files: readonly [TranscriptFile, ...TranscriptFile[]];
}

/** A discovered session, with the sessions that may have written records of it first. */
export interface FoundSession extends TranscriptFiles {
  /** Title that is stored separately from its files. */
  readonly title?: string | undefined;
  /** Working directory, if it is available without reading all files. */
  readonly directory?: string | undefined;
  /** An unexpected error while the beginning of its file was read. */
  readonly fault?: string | undefined;
  readonly relatives: readonly TranscriptFiles[];
  /** Content of its compressed files at opening, by path: this content is read. Default is their current content. */
  readonly packed?: Readonly<Record<string, FileIdentity>> | undefined;
}

/** The session that one file holds by itself, called after it, in the tenant that its folder is. */
export function loneSession(file: string): FoundSession {
  const tenantId = path.basename(path.dirname(file)) || "files";
  const sessionId = path.basename(unpackedName(file)).replace(/\.jsonl?$/, "");
  const conversation = { path: file, agentId: "", isAgent: false, isOneConversation: false };
  return { tenantId, sessionId, files: [conversation], relatives: [] };
}

/** Returns a tenant for a working directory, as Claude Code names projects: each character other than a letter or a digit becomes `-`. */
export function tenantOfDirectory(directory: string | undefined): string {
  return directory === undefined ? "unknown" : directory.replace(/[^a-zA-Z0-9]/g, "-").slice(0, 200);
}

/** Maximum size of a note next to a file, in bytes: a note has a few words; a longer file is not a note. */
export const MAX_NOTE = 64 * 1024;

/**
 * Returns the title of a sub-agent that is a separate session because its parent is absent.
 *
 * @param names candidates for its name: its role, its name
 */
export function orphanTitle(names: readonly (string | undefined)[], parentId: string): string {
  const known = new Set(names.filter((name) => name !== undefined));
  return `${[...known].join(" ") || "Agent"}, a sub-agent of ${parentId} (not here)`;
}
