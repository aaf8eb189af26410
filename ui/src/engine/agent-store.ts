import type { JsonObject } from "../../../src/domain/json/json.js";
import { groupBy } from "../../../src/domain/lists/lists.js";
import type { OrchestrationAgent } from "../../../src/domain/orchestration/orchestration.js";
import type { Cost } from "../../../src/domain/usage/money.js";
import { MAIN_AGENT } from "../model/address.js";
import { type AgentFolds, type AgentLine, agentLines, foldedAround } from "../model/agent-lines.js";
import { type AgentEntry, type AgentFacts, agentTree, parentsOf } from "../model/agent-table.js";
import {
  type AgentRun,
  type AgentRuns,
  type AgentWait,
  type AwaitedAgent,
  awaitedAgents,
  waitedMs,
} from "../model/agent-waits.js";
import type { AgentsQuery } from "../model/agents-query.js";
import { criticalPath, type PathPiece } from "../model/critical-path.js";
import { promptIn } from "../model/job-prompt.js";
import { plainText } from "../model/session-title.js";
import { type TimeAxis, timeAxis } from "../model/time-axis.js";
import type { TraceModel } from "../model/trace-model.js";
import { type AgentHistory, agentHistories } from "./agent-histories.js";
import type { AgentDetail, AgentRow, AgentsViewModel } from "./agent-protocol.js";
import { agentRow, type LaneSource } from "./agent-row.js";
import type { CallCosts } from "./call-costs.js";
import { PAGE_ROWS } from "./list-protocol.js";
import { eventIn } from "./record-json.js";
import { recordedWaits, type WaitSource } from "./recorded-waits.js";

/** What the agents of a session are worked out of. They are worked out anew where one of these is another one than before. */
export interface AgentSource {
  readonly model: TraceModel;
  /** The envelopes as JSON text, in the order of the trace. */
  readonly records: readonly string[];
  readonly agents: readonly OrchestrationAgent[];
  readonly costs: Pick<CallCosts, "of">;
  /** What all of it costs: another one where prices have come. */
  readonly total: Cost | undefined;
  /** The session's own status, which is the main agent's. */
  readonly status: string;
  readonly foldGaps: boolean;
}

/** How many agents the lists above the table name. */
const MOST_AWAITED = 5;
const MOST_ON_PATH = 6;

const NO_QUERY: AgentsQuery = { filter: "", sort: undefined, layout: "tree", sums: "branch" };

/** Holds the agents of a session, all sums of them, and answers for the rows on the screen. */
export class AgentStore implements LaneSource {
  #source: AgentSource | undefined;
  #entries: readonly AgentEntry[] = [];
  #waitedMs = 0;
  #waitSource: WaitSource = "none";
  #awaited: readonly AwaitedAgent[] = [];
  #runs: AgentRuns = new Map();
  #path: readonly PathPiece[] = [];
  histories: ReadonlyMap<string, AgentHistory> = new Map();
  waitsOf: ReadonlyMap<string, readonly AgentWait[]> = new Map();
  pathOf: ReadonlyMap<string, readonly PathPiece[]> = new Map();
  axis: TimeAxis = timeAxis(0, 1, []);
  /** What agents were asked, in a line, by the envelope that says it. */
  #prompts = new Map<string, string>();
  #query = NO_QUERY;
  #folds: AgentFolds = new Set();
  #lines: readonly AgentLine[] = [];
  #version = 0;

  /** Takes what has been read of the session so far. */
  update(source: AgentSource): void {
    const before = this.#source;
    const names = Object.keys(source) as (keyof AgentSource)[];
    if (before !== undefined && names.every((name) => before[name] === source[name])) return;
    this.#source = source;
    this.#workOut(source);
    this.#rebuild();
  }

  view(query: AgentsQuery): AgentsViewModel {
    if (JSON.stringify(query) !== JSON.stringify(this.#query)) {
      this.#query = query;
      this.#rebuild();
    }
    return this.#describe();
  }

  rows(from: number, to: number): AgentRow[] {
    return this.#lines.slice(from, to).map((line) => agentRow(line, this));
  }

  /** @returns `undefined` where there is no such agent */
  detail(id: string): AgentDetail | undefined {
    const entry = this.#entries.find((one) => one.id === id);
    if (entry === undefined) return undefined;
    const { own, branch } = entry.sums;
    const line = {
      type: "agent",
      id,
      entry,
      depth: 0,
      aside: false,
      parts: 0,
      folded: false,
      sums: own,
    } as const;
    const awaited = this.#awaited.find(({ agentId }) => agentId === id);
    return {
      row: agentRow(line, this),
      branch,
      parent: entry.parentId === undefined ? undefined : this.#named({ agentId: entry.parentId }),
      waitedFor: awaitedAgents(this.waitsOf.get(id) ?? [], this.#runs)
        .slice(0, MOST_AWAITED)
        .map(({ agentId, ms }) => this.#named({ agentId, ms })),
      awaited: awaited && { waiters: awaited.waiterIds.length, ms: awaited.ms },
      pathMs: lengthOf(this.pathOf.get(id) ?? []),
    };
  }

  toggle(id: string): AgentsViewModel {
    const folds = new Set(this.#folds);
    if (!folds.delete(id)) folds.add(id);
    return this.#fold(folds);
  }

  /** Folds all that has lines in it, or unfolds it. */
  foldAll(fold: boolean): AgentsViewModel {
    const folds = new Set(this.#folds);
    // Folded away, a line is not known: what is folded first shows what is in it.
    const all = agentLines(this.#entries, this.#query, new Set());
    for (const { id, parts, folded } of all) {
      if (parts === 0) continue;
      if (folded === fold) folds.delete(id);
      else folds.add(id);
    }
    return this.#fold(folds);
  }

  /** Makes an agent visible. @returns its line, -1 where the filter hides it */
  locate(id: string): { readonly view: AgentsViewModel; readonly index: number } {
    const entry = this.#entries.find((one) => one.id === id);
    let index = this.#lines.findIndex((line) => line.id === id);
    if (index === -1 && entry !== undefined) {
      const around = foldedAround(entry, this.#entries, this.#query);
      const folded = this.#lines.filter((line) => line.folded && around.includes(line.id));
      for (const line of folded) this.toggle(line.id);
      index = this.#lines.findIndex((line) => line.id === id);
      // What is folded in something that was folded has a line only now.
      if (index === -1 && folded.length > 0) return this.locate(id);
    }
    return { view: this.#describe(), index };
  }

  #fold(folds: AgentFolds): AgentsViewModel {
    this.#folds = folds;
    this.#rebuild();
    return this.#describe();
  }

  #rebuild(): void {
    this.#lines = agentLines(this.#entries, this.#query, this.#folds);
    this.#version++;
  }

  #workOut({ model, agents, costs, status, foldGaps }: AgentSource): void {
    const histories = agentHistories(model, agents, costs);
    const parents = parentsOf(histories, MAIN_AGENT);
    const timed = histories.filter(({ from, to }) => !Number.isNaN(from) && !Number.isNaN(to));
    const runs = new Map(
      timed.map(({ id, from, to }): [string, AgentRun] => [id, { id, from, to, parentId: parents.get(id) }]),
    );
    const { waits, source } = recordedWaits(model.roots, runs, model.to, (index) => this.#eventOf(index));
    this.#runs = runs;
    this.#waitSource = source;
    this.#awaited = awaitedAgents(waits, runs);
    this.#path = criticalPath([...runs.values()], waits);
    this.histories = new Map(histories.map((history) => [history.id, history]));
    this.waitsOf = groupBy(waits, ({ waiterId }) => waiterId);
    this.pathOf = groupBy(this.#path, ({ agentId }) => agentId);
    this.axis = timeAxis(model.from, model.to, foldGaps ? model.gaps : []);
    this.#waitedMs = [...this.waitsOf.values()].reduce((sum, own) => sum + waitedMs(own), 0);
    this.#entries = agentTree(histories.map((one) => this.#factsOf(one, status)));
  }

  #factsOf(history: AgentHistory, status: string): AgentFacts {
    const { id, parentId, name, role, state, from, to } = history;
    const { llmCalls, toolCalls, tokens, cost, errors } = history;
    const waited = waitedMs(this.waitsOf.get(id) ?? []);
    return {
      id,
      parentId,
      name,
      role,
      state: state || (id === MAIN_AGENT ? status : ""),
      models: [...history.models],
      prompt: () => this.#promptOf(history),
      from,
      to,
      own: { llmCalls, toolCalls, tokens, cost, errors, waitedMs: waited },
    };
  }

  /** By its last job, else by its last turn. */
  #promptOf({ asked }: AgentHistory): string {
    for (const index of [asked.job, asked.turn]) {
      const record = index === undefined ? undefined : this.#source!.records[index];
      if (record === undefined) continue;
      const prompt = this.#prompts.get(record) ?? plainText(promptIn(eventIn(record)) ?? "");
      this.#prompts.set(record, prompt);
      if (prompt !== "") return prompt;
    }
    return "";
  }

  #eventOf(index: number): JsonObject {
    const record = this.#source!.records[index];
    return record === undefined ? {} : eventIn(record);
  }

  #describe(): AgentsViewModel {
    const found = new Set(
      this.#lines.flatMap((line) => (line.type === "role" ? line.entries : line.aside ? [] : [line.entry])),
    );
    return {
      version: this.#version,
      rows: this.#lines.length,
      first: this.rows(0, PAGE_ROWS),
      agents: Math.max(0, this.#entries.length - 1),
      found: found.size,
      hasCost: this.#entries[0]?.sums.branch.cost !== undefined,
      axis: this.axis.segments,
      waits: {
        source: this.#waitSource,
        top: this.#awaited.slice(0, MOST_AWAITED).map(({ agentId, waiterIds, ms }) => ({
          ...this.#named({ agentId, ms }),
          waiters: waiterIds.length,
          waiterName: this.#named({ agentId: waiterIds[0]! }).name,
        })),
        more: Math.max(0, this.#awaited.length - MOST_AWAITED),
        ms: this.#waitedMs,
        waiters: this.waitsOf.size,
      },
      path: this.#describePath(),
    };
  }

  #describePath(): AgentsViewModel["path"] {
    const agents = [...this.pathOf].map(([agentId, pieces]) =>
      this.#named({ agentId, ms: lengthOf(pieces) }),
    );
    const longest = new Set(agents.toSorted((a, b) => b.ms - a.ms).slice(0, MOST_ON_PATH));
    return {
      ms: agents.reduce((sum, { ms }) => sum + ms, 0),
      agents: agents.length,
      longest: agents.filter((agent) => longest.has(agent)),
    };
  }

  #named<Agent extends { readonly agentId: string }>(agent: Agent): Agent & { readonly name: string } {
    return { ...agent, name: this.histories.get(agent.agentId)?.name ?? "" };
  }
}

function lengthOf(pieces: readonly PathPiece[]): number {
  return pieces.reduce((sum, { from, to }) => sum + to - from, 0);
}
