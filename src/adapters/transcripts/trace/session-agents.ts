import type { TranscriptFormat } from "../folder/format.js";
import type { AgentNote } from "../folder/transcript-files.js";
import type { SpawnCall, SpawnResult } from "../recorder/calls.js";
import type { FileConversation, SessionFile } from "./derived-file.js";

export interface AgentJob extends SpawnCall {
  readonly source: SessionFile;
}

export function endsOfJob({ result, ends }: AgentJob): readonly SpawnResult[] {
  return result === undefined || result.isLaunch ? ends : [result, ...ends];
}

/** A sub-agent with a file, or with a record that names it. */
export interface SessionAgent {
  readonly agentId: string;
  readonly role: string | undefined;
  readonly displayName: string | undefined;
  readonly parentAgentId: string | undefined;
  readonly groupCallId: string | undefined;
  readonly conversation: FileConversation | undefined;
  readonly source: SessionFile | undefined;
  readonly jobs: readonly AgentJob[];
}

interface AgentEntry {
  conversation?: FileConversation;
  source?: SessionFile;
}

export function agentsOf(
  files: readonly SessionFile[],
  notes: ReadonlyMap<string, AgentNote>,
  format: TranscriptFormat,
): readonly SessionAgent[] {
  const agents = new Map<string, AgentEntry>();
  for (const source of files) {
    for (const conversation of source.derived.conversations) {
      if (conversation.agentId === "" || (conversation.agentId === source.agentId && !source.isAgent))
        continue;
      const existing = agents.get(conversation.agentId);
      if (existing?.conversation === undefined || existing.conversation.isProgress)
        agents.set(conversation.agentId, { conversation, source });
    }
    for (const agentId of source.derived.spawnsOf.keys()) if (!agents.has(agentId)) agents.set(agentId, {});
  }
  const jobs = new JobFinder(files);
  const groups = new Map(files.flatMap(({ derived }) => [...derived.groups]));
  return [...agents].map(([agentId, { conversation, source }]) => {
    const note = notes.get(agentId);
    const own = jobs.take(agentId, note, conversation);
    const [first] = own;
    const existing = format.agentOf?.(agentId);
    const group = source?.groupId === undefined ? undefined : groups.get(source.groupId);
    const caller = first?.callerId ?? group?.callerId ?? note?.parentAgentId;
    return {
      agentId,
      role: note?.role ?? first?.role ?? existing?.role,
      displayName: note?.description ?? first?.description ?? existing?.description,
      parentAgentId: caller === "" || caller === agentId ? undefined : caller,
      groupCallId: group?.toolCallId,
      conversation,
      source,
      jobs: own,
    };
  });
}

/** Matches agents and calls by the note beside the file, by results and progress records, or by equal prompts. */
class JobFinder {
  readonly #jobs = new Map<string, AgentJob>();
  readonly #named = new Map<string, Set<string>>();
  readonly #linked = new Set<string>();

  constructor(files: readonly SessionFile[]) {
    for (const source of files) {
      for (const spawn of source.derived.spawns) this.#jobs.set(spawn.toolCallId, { ...spawn, source });
      for (const [agentId, ids] of source.derived.spawnsOf) {
        const named = this.#named.get(agentId) ?? new Set();
        this.#named.set(agentId, named);
        for (const id of ids) {
          named.add(id);
          this.#linked.add(id);
        }
      }
    }
  }

  take(agentId: string, note: AgentNote | undefined, conversation: FileConversation | undefined): AgentJob[] {
    const ids = new Set<string>(note?.toolCallId === undefined ? [] : [note.toolCallId]);
    for (const id of this.#named.get(agentId) ?? []) ids.add(id);
    const jobs = [...ids].flatMap((id) => this.#jobs.get(id) ?? []);
    if (ids.size === 0 && conversation?.promptKey !== undefined)
      jobs.push(...this.#byPrompt(conversation.promptKey));
    for (const job of jobs) this.#linked.add(job.toolCallId);
    return jobs.sort((a, b) => (a.instant ?? 0) - (b.instant ?? 0));
  }

  #byPrompt(promptKey: number): AgentJob[] {
    for (const job of this.#jobs.values()) {
      if (job.promptKey === promptKey && !this.#linked.has(job.toolCallId)) return [job];
    }
    return [];
  }
}
