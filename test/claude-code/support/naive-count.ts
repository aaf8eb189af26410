/** Counts a session's files the simple way, without the source under test. It implements the format of `docs/claude-code.md` alone. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

interface NaiveRecord {
  type?: unknown;
  uuid?: string;
  timestamp?: string;
  parentUuid?: string | null;
  isSidechain?: boolean;
  sessionId?: string;
  agentId?: string;
  isApiErrorMessage?: boolean;
  toolUseResult?: { agentId?: string };
  data?: { type?: string; agentId?: string; message?: NaiveRecord };
  attachment?: { type?: string; commandMode?: string };
  message?: {
    id?: string;
    model?: string;
    usage?: NaiveUsage;
    content?: { type?: string; id?: string; tool_use_id?: string }[] | string;
  };
}

interface NaiveUsage {
  input_tokens?: number;
  output_tokens?: number;
  cache_read_input_tokens?: number;
  cache_creation_input_tokens?: number;
  cache_creation?: { ephemeral_1h_input_tokens?: number };
}

export interface NaiveCount {
  files: string[];
  lines: number;
  /** Lines that an earlier session holds, too, and the answer that a fork repeats. */
  copies: number;
  unreadable: number;
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  /** Cache writes with a lifetime of one hour. */
  cacheWrite1hTokens: number;
  toolUses: number;
  toolResults: number;
  /** Tool calls with a result, by id. */
  pairs: number;
  /** Messages of the API: distinct ids, and lines without an id. */
  modelCalls: number;
  agents: string[];
  messages: number;
}

export function filesBelow(folder: string, inside = ""): string[] {
  return readdirSync(path.join(folder, inside), { withFileTypes: true }).flatMap((entry) => {
    const name = inside === "" ? entry.name : `${inside}/${entry.name}`;
    if (entry.isDirectory()) return filesBelow(folder, name);
    return entry.name.endsWith(".jsonl") ? [name] : [];
  });
}

function recordsOf(file: string): (NaiveRecord | undefined)[] {
  const stored = readFileSync(file, "utf8").split("\n");
  const torn = recordOf(stored.at(-1)!) === undefined ? stored.length - 1 : stored.length;
  return stored
    .slice(0, torn)
    .filter((line) => line.trim() !== "")
    .map(recordOf);
}

function recordOf(line: string): NaiveRecord | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Its own file, those below its folder, and those beside it whose lines name it. */
export function filesOf(project: string, sessionId: string): string[] {
  const beside = readdirSync(project).filter(
    (name) =>
      /^agent-.*\.jsonl$/.test(name) &&
      recordsOf(path.join(project, name)).find((record) => record?.sessionId)?.sessionId === sessionId,
  );
  const folder = path.join(project, sessionId, "subagents");
  const below = existsSync(folder) ? filesBelow(folder).map((name) => `${sessionId}/subagents/${name}`) : [];
  return [`${sessionId}.jsonl`, ...beside, ...below];
}

/** Records of earlier sessions in the project, as `uuid timestamp`. */
export function copiesIn(project: string, sessionId: string): ReadonlySet<string> {
  const sessions = readdirSync(project)
    .filter((name) => name.endsWith(".jsonl") && !name.startsWith("agent-"))
    .map((name) => ({ name, records: recordsOf(path.join(project, name)) }));
  const beginOf = (records: (NaiveRecord | undefined)[]) =>
    records.find((record) => record?.uuid !== undefined)?.timestamp ?? "";
  const own = beginOf(sessions.find(({ name }) => name === `${sessionId}.jsonl`)!.records);
  const earlier = sessions.filter(({ records }) => beginOf(records) < own);
  return new Set(earlier.flatMap(({ records }) => records.flatMap(nameOf)));
}

export function nameOf(record: NaiveRecord | undefined): string[] {
  return record?.uuid === undefined ? [] : [`${record.uuid} ${record.timestamp}`];
}

export function countSession(project: string, sessionId: string): NaiveCount {
  const files = filesOf(project, sessionId);
  const agents = new Set<string>();
  const agentFiles = new Set<string>();
  for (const file of files) {
    const agent = /agent-([^/]+)\.jsonl$/.exec(file)?.[1];
    if (agent !== undefined) agentFiles.add(agent);
    if (agent !== undefined) agents.add(agent);
  }
  const usages = new Map<string, NaiveUsage>();
  const uses = new Map<string, string>();
  const results = new Set<string>();
  const copies = copiesIn(project, sessionId);
  const count = { lines: 0, copies: 0, unreadable: 0, toolUses: 0, toolResults: 0, messages: 0 };

  const countMessage = (record: NaiveRecord) => {
    const message = record.message;
    if (typeof message !== "object" || message === null) return;
    if (record.type === "assistant" && !record.isApiErrorMessage && message.model !== "<synthetic>") {
      if (message.id === undefined) usages.set(`without id ${usages.size}`, message.usage ?? {});
      else {
        const known = usages.get(message.id);
        const usage = message.usage ?? {};
        if (known === undefined || (usage.output_tokens ?? 0) > (known.output_tokens ?? 0))
          usages.set(message.id, usage);
      }
    }
    if (!Array.isArray(message.content)) return;
    for (const block of message.content) {
      if (record.type === "assistant" && block.type === "tool_use") {
        count.toolUses++;
        if (block.id !== undefined) uses.set(block.id, block.id);
      }
      if (record.type === "user" && block.type === "tool_result") {
        count.toolResults++;
        if (block.tool_use_id !== undefined) results.add(block.tool_use_id);
      }
    }
  };

  for (const file of files) {
    const isMain = file === `${sessionId}.jsonl`;
    const records = recordsOf(path.join(project, file));
    const isFork = records[0]?.type === "fork-context-ref";
    for (const record of records) {
      count.lines++;
      if (record === undefined) {
        count.unreadable++;
        continue;
      }
      if (isMain && record.agentId !== undefined) agents.add(record.agentId);
      // Version 1.0: an inline sub-agent begins with a sidechain record without parent.
      if (isMain && record.isSidechain && record.parentUuid === null && record.agentId === undefined)
        agents.add(record.uuid!);
      if (record.toolUseResult?.agentId !== undefined) agents.add(record.toolUseResult.agentId);
      const attached = record.attachment;
      const isQueued = attached?.type === "queued_command" && attached.commandMode !== "task-notification";
      if ((typeof record.message === "object" && record.message !== null) || isQueued) {
        if (isMain && !record.isSidechain && record.agentId === undefined) count.messages++;
      }
      if (record.type === "progress" && record.data?.type === "agent_progress") {
        const { agentId, message } = record.data;
        agents.add(agentId!);
        if (!agentFiles.has(agentId!) && message !== undefined) countMessage(message);
      } else if (isMain && nameOf(record).some((name) => copies.has(name))) count.copies++;
      else if (isFork && record.type === "assistant" && record.parentUuid === null) count.copies++;
      else countMessage(record);
    }
  }
  const total = (tokensOf: (usage: NaiveUsage) => number | undefined) =>
    [...usages.values()].reduce((sum, usage) => sum + (tokensOf(usage) ?? 0), 0);
  return {
    files,
    ...count,
    inputTokens: total((usage) => usage.input_tokens),
    outputTokens: total((usage) => usage.output_tokens),
    cacheReadTokens: total((usage) => usage.cache_read_input_tokens),
    cacheWriteTokens: total((usage) => usage.cache_creation_input_tokens),
    cacheWrite1hTokens: total((usage) => usage.cache_creation?.ephemeral_1h_input_tokens),
    pairs: [...uses.keys()].filter((id) => results.has(id)).length,
    modelCalls: usages.size,
    agents: [...agents].sort(),
    messages: count.messages,
  };
}
