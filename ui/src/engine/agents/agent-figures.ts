import type { JsonObject } from "../../../../src/domain/json/json.js";
import { groupBy } from "../../../../src/domain/lists/lists.js";
import type { OrchestrationAgent } from "../../../../src/domain/trace/orchestration.js";
import type { Cost } from "../../../../src/domain/usage/money.js";
import { MAIN_AGENT } from "../../model/address/address.js";
import { type AgentEntry, type AgentFacts, agentTree, parentsOf } from "../../model/agents/agent-table.js";
import {
  type AgentRun,
  type AgentWait,
  type AwaitedAgent,
  awaitedAgents,
  waitedMs,
} from "../../model/agents/agent-waits.js";
import { criticalPath, type PathPiece } from "../../model/agents/critical-path.js";
import { promptIn } from "../../model/agents/job-prompt.js";
import { type TimeAxis, timeAxis } from "../../model/charts/time-axis.js";
import { plainText } from "../../model/sessions/session-title.js";
import type { TraceModel } from "../../model/trace/trace-model.js";
import { eventIn } from "../records/record-json.js";
import type { CallCosts } from "../trace/call-costs.js";
import { type AgentHistory, agentHistories } from "./agent-histories.js";
import type { AgentDetail, AgentsViewModel } from "./agent-protocol.js";
import { agentRow, type LaneSource } from "./agent-row.js";
import { recordedWaits } from "./wait-records.js";

export interface AgentSource {
  readonly model: TraceModel;
  readonly records: readonly string[];
  readonly agents: readonly OrchestrationAgent[];
  readonly costs: Pick<CallCosts, "of">;
  readonly total: Cost | undefined;
  readonly status: string;
  readonly foldGaps: boolean;
}

const MOST_AWAITED = 5;
const MOST_ON_PATH = 6;

export class AgentFigures implements LaneSource {
  readonly histories: ReadonlyMap<string, AgentHistory>;
  readonly waitsOf: ReadonlyMap<string, readonly AgentWait[]>;
  readonly pathOf: ReadonlyMap<string, readonly PathPiece[]>;
  readonly axis: TimeAxis;
  readonly entries: readonly AgentEntry[];
  readonly waits: AgentsViewModel["waits"];
  readonly path: AgentsViewModel["path"];
  readonly #source: AgentSource;
  readonly #prompts: Map<string, string>;
  readonly #runs: ReadonlyMap<string, AgentRun>;
  readonly #awaited: readonly AwaitedAgent[];

  /** @param prompts cache by envelope: prompts on one line each */
  constructor(source: AgentSource, prompts: Map<string, string>) {
    this.#source = source;
    this.#prompts = prompts;
    const { model, agents, costs, foldGaps } = source;
    const histories = agentHistories(model, agents, costs);
    const parents = parentsOf(histories, MAIN_AGENT);
    const timed = histories.filter(({ from, to }) => !Number.isNaN(from) && !Number.isNaN(to));
    this.#runs = new Map(
      timed.map(({ id, from, to }): [string, AgentRun] => [id, { id, from, to, parentId: parents.get(id) }]),
    );
    const recorded = recordedWaits(model.roots, this.#runs, model.to, (index) => this.#eventOf(index));
    this.#awaited = awaitedAgents(recorded.waits, this.#runs);
    this.histories = new Map(histories.map((history) => [history.id, history]));
    this.waitsOf = groupBy(recorded.waits, ({ waiterId }) => waiterId);
    this.pathOf = groupBy(criticalPath([...this.#runs.values()], recorded.waits), ({ agentId }) => agentId);
    this.axis = timeAxis(model.from, model.to, foldGaps ? model.gaps : []);
    this.entries = agentTree(histories.map((history) => this.#factsOf(history)));
    this.waits = {
      source: recorded.source,
      top: this.#awaited.slice(0, MOST_AWAITED).map(({ agentId, waiterIds, ms }) => ({
        ...this.#named({ agentId, ms }),
        waiters: waiterIds.length,
        waiterName: this.#named({ agentId: waiterIds[0]! }).name,
      })),
      more: Math.max(0, this.#awaited.length - MOST_AWAITED),
      ms: [...this.waitsOf.values()].reduce((sum, own) => sum + waitedMs(own), 0),
      waiters: this.waitsOf.size,
    };
    this.path = this.#describePath();
  }

  detail(entry: AgentEntry): AgentDetail {
    const { id } = entry;
    const { own, branch } = entry.sums;
    const place = { depth: 0, aside: false, parts: 0, folded: false };
    const awaited = this.#awaited.find(({ agentId }) => agentId === id);
    return {
      row: agentRow({ ...place, type: "agent", id, entry, sums: own }, this),
      branch,
      parent: entry.parentId === undefined ? undefined : this.#named({ agentId: entry.parentId }),
      waitedFor: awaitedAgents(this.waitsOf.get(id) ?? [], this.#runs)
        .slice(0, MOST_AWAITED)
        .map(({ agentId, ms }) => this.#named({ agentId, ms })),
      awaited: awaited && { waiters: awaited.waiterIds.length, ms: awaited.ms },
      pathMs: lengthOf(this.pathOf.get(id) ?? []),
    };
  }

  #factsOf(history: AgentHistory): AgentFacts {
    const { id, parentId, name, role, state, from, to } = history;
    const { llmCalls, toolCalls, tokens, cost, errors } = history;
    const waited = waitedMs(this.waitsOf.get(id) ?? []);
    return {
      id,
      parentId,
      name,
      role,
      state: state || (id === MAIN_AGENT ? this.#source.status : ""),
      models: [...history.models],
      prompt: () => this.#promptOf(history),
      from,
      to,
      own: { llmCalls, toolCalls, tokens, cost, errors, waitedMs: waited },
    };
  }

  #promptOf({ request }: AgentHistory): string {
    for (const index of [request.job, request.turn]) {
      const record = index === undefined ? undefined : this.#source.records[index];
      if (record === undefined) continue;
      const prompt = this.#prompts.get(record) ?? plainText(promptIn(eventIn(record)) ?? "");
      this.#prompts.set(record, prompt);
      if (prompt !== "") return prompt;
    }
    return "";
  }

  #eventOf(index: number): JsonObject {
    const record = this.#source.records[index];
    return record === undefined ? {} : eventIn(record);
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
