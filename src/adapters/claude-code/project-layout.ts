import { readdir } from "node:fs/promises";
import path from "node:path";
import { SourceUnavailableError } from "../../application/errors.js";
import { absentAsUndefined, type ContainedFiles } from "../jsonl/contained-files.js";
import type { FileHeads } from "./file-heads.js";

/** A file of a session besides its conversation. */
export interface AgentFile {
  readonly path: string;
  /** The sub-agent's id; of another file in its folder (a workflow's journal) its path there. */
  readonly agentId: string;
  readonly isAgent: boolean;
  /** Where `agent-<id>.meta.json` would lie. */
  readonly metaPath: string;
}

/** Where the files of one session lie. */
export interface SessionFiles {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly path: string;
  /** A sub-agent whose session is gone, listed on its own. */
  readonly isOrphan: boolean;
  readonly agents: readonly AgentFile[];
}

const SUFFIX = ".jsonl";
const AGENT = /^agent-(.+)\.jsonl$/;

/** How deep folders below `subagents` are looked into: `workflows/<run>` is two. */
const MAX_DEPTH = 6;

/** Finds the sessions of a projects folder and their sub-agents, in all three layouts. */
export class ProjectLayout {
  readonly #files: ContainedFiles;
  readonly #heads: FileHeads;

  constructor(files: ContainedFiles, heads: FileHeads) {
    this.#files = files;
    this.#heads = heads;
  }

  /** The names of the project folders. */
  async tenants(): Promise<string[]> {
    const { folders } = await this.#namesIn(this.#files.root, true);
    return folders;
  }

  /**
   * The sessions of a project.
   *
   * @param only the session whose sub-agents are wanted; those of others are not looked for. Default is all, and then a
   *   folder that may not be read takes only what lies in it
   */
  async sessions(tenantId: string, only?: string): Promise<SessionFiles[]> {
    const project = path.join(this.#files.root, tenantId);
    const isStrict = only !== undefined;
    const { files, folders } = await this.#namesIn(project, isStrict);
    const lines = files.filter((name) => name.endsWith(SUFFIX));
    const ids = new Set(lines.filter((name) => !AGENT.test(name)).map(withoutSuffix));
    const agents = new Map<string, AgentFile[]>();
    const own = lines.filter((name) => AGENT.test(name));
    const beside = own.map((name) => agentFile(project, path.join(project, name), name));
    const heads = await this.#heads.readAll(beside.map((file) => file.path));
    for (const [i, file] of beside.entries()) addTo(agents, heads[i]!.sessionId ?? "", file);
    for (const folder of folders) {
      if (isStrict && folder !== only && ids.has(folder)) continue;
      const top = path.join(project, folder, "subagents");
      for (const file of await this.#agentsBelow(top, folder === only)) addTo(agents, folder, file);
    }
    const sessions: SessionFiles[] = [];
    for (const sessionId of ids) {
      const own = agents.get(sessionId) ?? [];
      agents.delete(sessionId);
      const file = path.join(project, sessionId + SUFFIX);
      sessions.push({ tenantId, sessionId, path: file, isOrphan: false, agents: own });
    }
    for (const [parentId, orphans] of agents) {
      for (const orphan of orphans) {
        const sessionId = freeId(ids, parentId, withoutSuffix(path.basename(orphan.path)));
        ids.add(sessionId);
        sessions.push({ tenantId, sessionId, path: orphan.path, isOrphan: true, agents: [] });
      }
    }
    return sessions;
  }

  async find(tenantId: string, sessionId: string): Promise<SessionFiles | undefined> {
    const sessions = await this.sessions(tenantId, sessionId);
    return sessions.find((session) => session.sessionId === sessionId);
  }

  async #agentsBelow(folder: string, isStrict: boolean, top = folder, depth = 0): Promise<AgentFile[]> {
    if (depth > MAX_DEPTH) return [];
    const { files, folders } = await this.#namesIn(folder, isStrict);
    const found = files
      .filter((name) => name.endsWith(SUFFIX))
      .map((name) => agentFile(top, path.join(folder, name), name));
    for (const name of folders)
      found.push(...(await this.#agentsBelow(path.join(folder, name), isStrict, top, depth + 1)));
    return found;
  }

  /** What lies in a folder, by name; nothing where it is absent or leads outside. A link may be either. */
  async #namesIn(folder: string, isStrict: boolean): Promise<{ files: string[]; folders: string[] }> {
    try {
      return await this.#readNames(folder);
    } catch (error) {
      if (error instanceof SourceUnavailableError && !isStrict) return { files: [], folders: [] };
      throw error;
    }
  }

  async #readNames(folder: string): Promise<{ files: string[]; folders: string[] }> {
    const stats = await this.#files.find(folder);
    if (stats === undefined || !stats.isDirectory()) return { files: [], folders: [] };
    const entries =
      (await absentAsUndefined(readdir(folder, { withFileTypes: true }), () => this.#files.nameOf(folder))) ??
      [];
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    const files: string[] = [];
    const folders: string[] = [];
    for (const entry of entries) {
      const isLink = entry.isSymbolicLink();
      const target = isLink ? await this.#files.find(path.join(folder, entry.name)) : entry;
      if (target?.isDirectory()) folders.push(entry.name);
      else if (target?.isFile()) files.push(entry.name);
    }
    return { files, folders };
  }
}

function agentFile(top: string, file: string, name: string): AgentFile {
  const agentId = AGENT.exec(name)?.[1];
  const inside = path.relative(top, file).split(path.sep).join("/");
  return {
    path: file,
    agentId: agentId ?? withoutSuffix(inside),
    isAgent: agentId !== undefined,
    metaPath: `${withoutSuffix(file)}.meta.json`,
  };
}

function withoutSuffix(name: string): string {
  return name.slice(0, -SUFFIX.length);
}

function addTo(agents: Map<string, AgentFile[]>, sessionId: string, file: AgentFile): void {
  const known = agents.get(sessionId);
  if (known === undefined) agents.set(sessionId, [file]);
  else known.push(file);
}

/** Two sub-agents of sessions that are gone may have the same id. */
function freeId(taken: ReadonlySet<string>, parentId: string, name: string): string {
  if (!taken.has(name)) return name;
  let id = `${parentId}.${name}`;
  for (let i = 2; taken.has(id); i++) id = `${parentId}.${name}.${i}`;
  return id;
}
