import type { ClaudeThread } from "./claude-file.js";
import type { ReadFile } from "./session-reader.js";
import type { SpawnCall } from "./tool-calls.js";

/** What `agent-<id>.meta.json` says. */
export interface AgentMeta {
  readonly agentType: string | undefined;
  readonly description: string | undefined;
  readonly toolUseId: string | undefined;
}

/** A call that gave a sub-agent something to do, and the file that it lies in. */
export interface AgentJob extends SpawnCall {
  readonly source: ReadFile;
}

/** A sub-agent of a session: one that has a file, or that any record names. */
export interface SessionAgent {
  readonly agentId: string;
  readonly role: string | undefined;
  readonly displayName: string | undefined;
  readonly parentAgentId: string | undefined;
  /** What tells of its work, and where; `undefined` where nothing does. */
  readonly thread: ClaudeThread | undefined;
  readonly source: ReadFile | undefined;
  /** By when they were given. */
  readonly jobs: readonly AgentJob[];
}

interface Found {
  thread?: ClaudeThread;
  source?: ReadFile;
}

/** The sub-agents of a session, in the order in which its files name them. */
export function agentsOf(
  files: readonly ReadFile[],
  metas: ReadonlyMap<string, AgentMeta>,
): readonly SessionAgent[] {
  const found = new Map<string, Found>();
  for (const source of files) {
    for (const thread of source.file.threads) {
      if (thread.agentId === "" || (thread.agentId === source.agentId && !source.isAgent)) continue;
      const known = found.get(thread.agentId);
      // Lines of its own say more than progress records.
      if (known?.thread === undefined || known.thread.isProgress)
        found.set(thread.agentId, { thread, source });
    }
    for (const agentId of source.file.spawnsOf.keys()) if (!found.has(agentId)) found.set(agentId, {});
  }
  const jobs = new JobFinder(files);
  return [...found].map(([agentId, { thread, source }]) => {
    const meta = metas.get(agentId);
    const own = jobs.take(agentId, meta, thread);
    const [first] = own;
    const isCompaction = agentId.startsWith("acompact");
    const caller = first?.callerId;
    return {
      agentId,
      role: meta?.agentType ?? first?.role ?? (isCompaction ? "compaction" : undefined),
      displayName: meta?.description ?? first?.description ?? (isCompaction ? "Compaction" : undefined),
      parentAgentId: caller === undefined || caller === "" || caller === agentId ? undefined : caller,
      thread,
      source,
      jobs: own,
    };
  });
}

/** Finds the calls that spawned an agent: as its meta file says, as results and progress say, or by the same prompt. */
class JobFinder {
  readonly #files: readonly ReadFile[];
  readonly #jobs = new Map<string, AgentJob>();
  readonly #linked = new Set<string>();

  constructor(files: readonly ReadFile[]) {
    this.#files = files;
    for (const source of files) {
      for (const spawn of source.file.spawns) this.#jobs.set(spawn.toolUseId, { ...spawn, source });
      for (const ids of source.file.spawnsOf.values()) for (const id of ids) this.#linked.add(id);
    }
  }

  take(agentId: string, meta: AgentMeta | undefined, thread: ClaudeThread | undefined): AgentJob[] {
    const ids = new Set<string>(meta?.toolUseId === undefined ? [] : [meta.toolUseId]);
    for (const { file } of this.#files) for (const id of file.spawnsOf.get(agentId) ?? []) ids.add(id);
    const jobs = [...ids].flatMap((id) => this.#jobs.get(id) ?? []);
    if (ids.size === 0 && thread?.promptKey !== undefined) jobs.push(...this.#byPrompt(thread.promptKey));
    for (const job of jobs) this.#linked.add(job.toolUseId);
    return jobs.sort((a, b) => (a.instant ?? 0) - (b.instant ?? 0));
  }

  #byPrompt(promptKey: number): AgentJob[] {
    for (const job of this.#jobs.values()) {
      if (job.promptKey === promptKey && !this.#linked.has(job.toolUseId)) return [job];
    }
    return [];
  }
}
