import path from "node:path";
import type { FileIdentity } from "../files/bytes/file-identities.js";
import { unpackedName } from "../files/bytes/unpack.js";

/** What is known of a sub-agent besides its own records. */
export interface AgentNote {
  readonly role: string | undefined;
  readonly description: string | undefined;
  /** The tool call that spawned it. */
  readonly toolCallId: string | undefined;
  /** The model that it works with, where its own records do not say it. Default is that they do. */
  readonly model?: string | undefined;
  /** The sub-agent that spawned it, where that is no call's to tell; `""` for the session itself. */
  readonly parentAgentId?: string | undefined;
}

export interface TranscriptFile {
  readonly path: string;
  /** The sub-agent whose file it is; `""` for the conversation itself. Of another file among them, a unique name. */
  readonly agentId: string;
  /** Whether it is a sub-agent's; else the conversation, or another file that lies among sub-agents. */
  readonly isAgent: boolean;
  /** Whether every line is of that agent, whichever agent it names. */
  readonly isOneConversation: boolean;
  /**
   * The member whose array holds the records, where the file is one JSON document; else each line is a record. A document is
   * written anew when it grows, so what is derived from it is derived anew.
   */
  readonly arrayMember?: string | undefined;
  /** A small file beside it that describes it, where there may be one. */
  readonly notePath?: string | undefined;
  /** What is known of the sub-agent without that. */
  readonly note?: AgentNote | undefined;
  /** The group of sub-agents that it is of: the result of the call that began it names it. */
  readonly groupId?: string | undefined;
  /** The agent whose conversation goes on in it; `""` for the session's own. Such a file is no sub-agent's, and has a unique name. */
  readonly continues?: string | undefined;
  /** The files whose records it may begin with copies of. */
  readonly copiedFrom?: readonly string[] | undefined;
  /** The file of the same conversation that it goes on from: what lies behind its end in that one was taken back. */
  readonly base?: FileBase | undefined;
  /** Of a file of another session, that this one goes on from: how many bytes of it come before. It gives messages alone. */
  readonly inheritedTo?: number | undefined;
}

/** The beginning of a file, up to a number of bytes. */
export interface FileBase {
  readonly path: string;
  readonly end: number;
}

/** Whether a file holds the session's own conversation, or a part of it. */
export function isOwnConversation({ agentId, continues }: TranscriptFile): boolean {
  return agentId === "" || continues === "";
}

/** The files of a session: its conversation, then its sub-agents'. */
export interface TranscriptFiles {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly files: readonly [TranscriptFile, ...TranscriptFile[]];
}

/** A session as it was found, with the sessions that may have written records of it first. */
export interface FoundSession extends TranscriptFiles {
  /** The title that is kept for it apart from its files. */
  readonly title?: string | undefined;
  /** The folder that was worked in, where that is known without reading all of them. */
  readonly directory?: string | undefined;
  /** What went wrong that nobody expected, while the beginning of its file was read. */
  readonly fault?: string | undefined;
  readonly relatives: readonly TranscriptFiles[];
  /** Which content its packed files had when it was opened, by their paths: that is what is read of it. Default is what they hold now. */
  readonly packed?: Readonly<Record<string, FileIdentity>> | undefined;
}

/** The session that one file holds by itself, called after it, in the tenant that its folder is. */
export function loneSession(file: string): FoundSession {
  const tenantId = path.basename(path.dirname(file)) || "files";
  const sessionId = path.basename(unpackedName(file)).replace(/\.jsonl?$/, "");
  const conversation = { path: file, agentId: "", isAgent: false, isOneConversation: false };
  return { tenantId, sessionId, files: [conversation], relatives: [] };
}

/** A tenant by the folder that was worked in, as Claude Code calls a project's: each character that is no letter or digit is `-`. */
export function tenantOfDirectory(directory: string | undefined): string {
  return directory === undefined ? "unknown" : directory.replace(/[^a-zA-Z0-9]/g, "-").slice(0, 200);
}

/** A note beside a file holds a few words; a longer one is none. */
export const MAX_NOTE = 64 * 1024;

/**
 * The title of a sub-agent that is a session of its own, because the one that spawned it is not here.
 *
 * @param names by which it may be known: its role, its name
 */
export function orphanTitle(names: readonly (string | undefined)[], parentId: string): string {
  const known = new Set(names.filter((name) => name !== undefined));
  return `${[...known].join(" ") || "Agent"}, a sub-agent of ${parentId} (not here)`;
}
