import type { ReadOptions, RecordWarning } from "../../application/ports/record-stream.js";
import type { ContainedFiles } from "../jsonl/contained-files.js";
import type { FileIdentity } from "../jsonl/file-identity.js";
import type { FollowedFiles } from "../jsonl/followed-files.js";
import { type ClaudeFile, claudeFileDigest } from "./claude-file.js";
import type { ForkFamilies } from "./fork-family.js";
import type { SessionFiles } from "./project-layout.js";

/** A file of a session, read. */
export interface ReadFile {
  readonly path: string;
  /** As the project folder's own layout names it; never a path of the machine. */
  readonly name: string;
  /** `""` for the conversation itself. */
  readonly agentId: string;
  /** Whether it is a sub-agent's; else the conversation, or another file that lies among sub-agents. */
  readonly isAgent: boolean;
  readonly identity: FileIdentity;
  readonly file: ClaudeFile;
}

/** How much is wanted of the files: what they sum up to, or every envelope and message too. */
export type ReadDepth = "summary" | "trace";

/** Reads the files of a session: the conversation first, then its sub-agents. */
export class SessionReader {
  readonly #files: ContainedFiles;
  readonly #followed: FollowedFiles;

  constructor(files: ContainedFiles, followed: FollowedFiles) {
    this.#files = files;
    this.#followed = followed;
  }

  async read(
    session: SessionFiles,
    families: ForkFamilies,
    depth: ReadDepth,
    options?: ReadOptions,
  ): Promise<ReadFile[]> {
    const { name, isReplay } = await families.replaysOf(session, options);
    const keepsRows = depth === "trace";
    const read: ReadFile[] = [];
    const conversation = { agentId: "", isOneThread: session.isOrphan, keepsRows, isReplay };
    const main = await this.#followed.read(
      session.path,
      `${depth} ${name}`,
      claudeFileDigest(conversation),
      options,
    );
    if (main !== undefined) {
      const { path } = session;
      const { identity, view } = main;
      read.push({ path, name: this.nameOf(path), agentId: "", isAgent: false, identity, file: view });
    }
    for (const { path, agentId, isAgent } of session.agents) {
      const own = { agentId, isOneThread: true, keepsRows, isReplay: () => false };
      const found = await this.#followed.read(path, depth, claudeFileDigest(own), options);
      if (found === undefined) continue;
      const { identity, view } = found;
      read.push({ path, name: this.nameOf(path), agentId, isAgent, identity, file: view });
    }
    return read;
  }

  /** A file by its path inside of the project folder. */
  nameOf(path: string): string {
    const name = this.#files.nameOf(path);
    return name.slice(name.indexOf("/") + 1);
  }
}

export function warningsOf(files: readonly ReadFile[]): RecordWarning[] {
  return files.flatMap(({ name, file }) =>
    file.problems.map(({ line, reason }) => ({ file: name, line, reason })),
  );
}

/** The sub-agents that have lines of their own; others are only told of by progress records. */
export function agentsWithLines(files: readonly ReadFile[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { file } of files) {
    for (const { agentId, isProgress } of file.threads) if (agentId !== "" && !isProgress) found.add(agentId);
  }
  return found;
}
