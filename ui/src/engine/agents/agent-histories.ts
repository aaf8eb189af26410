import {
  ownErrors,
  type Span,
  type SpanKind,
  spanUsage,
  walkSpans,
} from "../../../../src/domain/spans/span.js";
import type { Interval } from "../../../../src/domain/time/intervals.js";
import { plausibleInstant } from "../../../../src/domain/trace/instant.js";
import type { OrchestrationAgent } from "../../../../src/domain/trace/orchestration.js";
import { addCost, type Cost } from "../../../../src/domain/usage/money.js";
import { totalTokens } from "../../../../src/domain/usage/token-usage.js";
import { MAIN_AGENT } from "../../model/address/address.js";
import { agentState } from "../../model/agents/agent-forest.js";
import type { TraceModel } from "../../model/trace/trace-model.js";
import type { CallCosts } from "../trace/call-costs.js";

export interface AgentHistory {
  readonly id: string;
  /** `undefined` for the main agent, or if unavailable. */
  parentId: string | undefined;
  name: string;
  role: string;
  state: string;
  /** `""` if the trace has no span of the agent. */
  spanId: string;
  /** Epoch milliseconds; NaN without a recorded instant. */
  from: number;
  to: number;
  isOpen: boolean;
  llmCalls: number;
  toolCalls: number;
  tokens: number;
  cost: Cost | undefined;
  errors: number;
  readonly models: Set<string>;
  readonly work: Interval[];
  readonly jobs: number[];
  readonly failedAt: number[];
  /** Indexes in the trace of the events that began its last job and turn; for the main agent, the first ones. */
  readonly request: { job: number | undefined; turn: number | undefined };
}

const WORK: ReadonlySet<SpanKind> = new Set(["turn", "run", "llm", "tool", "skill", "job", "compaction"]);

/** @returns the main agent first, the others in the order of their recorded spawning */
export function agentHistories(
  model: TraceModel,
  records: readonly OrchestrationAgent[],
  costs: Pick<CallCosts, "of">,
): AgentHistory[] {
  const main = newHistory(MAIN_AGENT);
  const histories = new Map([[MAIN_AGENT, main]]);
  const of = (id: string): AgentHistory => {
    const existing = histories.get(id || MAIN_AGENT);
    if (existing !== undefined) return existing;
    const history = newHistory(id);
    histories.set(id, history);
    return history;
  };
  for (const record of records) addRecord(of(record.agentId), record);
  walkSpans(model.roots, (span) => {
    // An event that only names an agent does not create it.
    if (span.kind === "agent" && span.start.phase === "start") addSpawn(of(span.agentId), span);
    const history = histories.get(span.agentId || MAIN_AGENT) ?? main;
    addSpan(history, span, model.to, costs);
  });
  if (model.events.length > 0) main.from = model.from;
  for (const history of histories.values()) closeRun(history, model.to);
  return [...histories.values()];
}

function newHistory(id: string): AgentHistory {
  return {
    id,
    parentId: undefined,
    name: "",
    role: "",
    state: "",
    spanId: "",
    from: Number.NaN,
    to: Number.NaN,
    isOpen: true,
    llmCalls: 0,
    toolCalls: 0,
    tokens: 0,
    cost: undefined,
    errors: 0,
    models: new Set(),
    work: [],
    jobs: [],
    failedAt: [],
    request: { job: undefined, turn: undefined },
  };
}

function addRecord(history: AgentHistory, record: OrchestrationAgent): void {
  const { createdAt, closedAt, lastJob } = record;
  history.parentId = record.parentAgentId;
  history.name = record.displayName;
  history.role = record.role;
  history.state = agentState(record);
  history.from = plausibleInstant(createdAt) ?? history.from;
  const to = plausibleInstant(closedAt ?? lastJob?.completedAt);
  if (to !== undefined) [history.to, history.isOpen] = [to, closedAt === undefined];
}

function addSpawn(history: AgentHistory, span: Span): void {
  if (history.spanId !== "") return;
  history.spanId = span.id;
  history.name ||= span.name || span.agentId;
  history.parentId ??= span.start.parentAgentId ?? (span.parent?.agentId || undefined);
  if (Number.isNaN(history.from)) history.from = span.start.at;
  if (history.state === "" && span.state === "open") history.state = "running";
}

function addSpan(history: AgentHistory, span: Span, until: number, costs: Pick<CallCosts, "of">): void {
  const { kind, start } = span;
  const errors = ownErrors(span);
  if (errors > 0) {
    history.errors += errors;
    history.failedAt.push(span.endAt);
  }
  if (start.phase === "point") return;
  if (kind === "llm") addCall(history, span, costs);
  if (kind === "tool") history.toolCalls++;
  if (kind === "job") history.jobs.push(start.at);
  if ((kind === "job" || kind === "turn") && !start.isUnasked) {
    const existing = history.request[kind];
    // The main agent's first prompt states the purpose of a session; a sub-agent gets a prompt per job.
    const isNewer = existing === undefined || start.index > existing === (history.id !== MAIN_AGENT);
    if (isNewer) history.request[kind] = start.index;
  }
  // An orchestration event about a complete run is not work of the main agent.
  if (!WORK.has(kind) || (start.source === "orchestration" && kind !== "job")) return;
  history.work.push([start.at, span.state === "open" ? until : span.endAt]);
}

function addCall(history: AgentHistory, span: Span, costs: Pick<CallCosts, "of">): void {
  const usage = spanUsage(span);
  const cost = costs.of(span);
  const model = span.end?.name ?? span.name;
  history.llmCalls++;
  if (usage !== undefined) history.tokens += totalTokens(usage);
  if (cost !== undefined) history.cost = history.cost === undefined ? cost : addCost(history.cost, cost);
  if (model !== "") history.models.add(model);
}

/** Without a recorded end, the last work ends an agent. Without work, the end of the trace does. */
function closeRun(history: AgentHistory, until: number): void {
  const { work } = history;
  if (Number.isNaN(history.from)) {
    history.from = work.reduce((first, [from]) => Math.min(first, from), Number.POSITIVE_INFINITY);
    if (work.length === 0) history.from = Number.NaN;
  }
  if (Number.isNaN(history.to)) {
    history.to = work.reduce((last, [, to]) => Math.max(last, to), Number.NEGATIVE_INFINITY);
    if (work.length === 0) history.to = Number.isNaN(history.from) ? Number.NaN : until;
  }
  history.to = Math.max(history.from, history.to);
}
