import { tierOf } from "../usage/context-tiers.js";
import type { TokenUsage } from "../usage/token-usage.js";
import { Names, Rows } from "./facts-columns.js";
import {
  ACTIVITY_COLUMNS,
  CARRIED_COLUMNS,
  DURATION_COLUMNS,
  durationClass,
  FAILURE_COLUMNS,
  type FactsCall,
  type FactsModel,
  MOST_CALLS,
  MOST_FILES,
  QUARTER_MS,
  type SessionFacts,
  TOOL_USE_COLUMNS,
  USAGE_COLUMNS,
} from "./session-facts.js";

export interface CountedCall {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly model: string | undefined;
  readonly provider?: string | undefined;
  /** Role of the sub-agent; `""` for the main agent. */
  readonly role: string;
  readonly usage: TokenUsage;
  readonly contextTokens: number;
  readonly recordedUsd?: number | undefined;
  /** True if its output count is the placeholder from the start of its stream. */
  readonly isPlaceholder?: boolean | undefined;
  readonly hasFailed?: boolean | undefined;
}

export interface CountedTool {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly name: string;
  readonly outcome: "completed" | "failed" | "refused";
  /** Absent if its end is not recorded. */
  readonly durationMs?: number | undefined;
  readonly resultTokens: number;
}

export interface CountedTools {
  readonly calls: number;
  readonly failures: number;
  readonly refused: number;
  readonly resultTokens: number;
}

/** Adds up the activity of a session, in any order. An instant is `NaN` where none is recorded: {@link merge} replaces it. */
export class FactsBuilder {
  readonly #models = new Names<FactsModel>(
    ({ model, provider = "" }) => `${model.length} ${model}${provider}`,
    {
      model: "",
    },
  );
  readonly #roles = new Names<string>((name) => name, "");
  readonly #tools = new Names<string>((name) => name, "");
  readonly #causes = new Names<string>((name) => name, "");
  readonly #usage = new Rows(USAGE_COLUMNS);
  readonly #toolUse = new Rows(TOOL_USE_COLUMNS);
  readonly #durations = new Rows(DURATION_COLUMNS);
  readonly #carried = new Rows(CARRIED_COLUMNS);
  readonly #failures = new Rows(FAILURE_COLUMNS);
  readonly #activity = new Rows(ACTIVITY_COLUMNS);
  readonly #agentsOfQuarters = new Map<number, Set<string>>();
  readonly #edited = new Set<string>();
  readonly #read = new Set<string>();
  #lastModel: { model: string | undefined; provider: string; place: number } = NO_MODEL;
  #largest: FactsCall[] = [];
  #agents = 0;
  #compactions = 0;

  addCall(call: CountedCall): void {
    const { at, usage, contextTokens, recordedUsd = -1 } = call;
    const model = this.#placeOfModel(call.model, call.provider);
    const role = this.#roles.placeOf(call.role);
    const quarter = quarterOf(at);
    const isRecorded = recordedUsd >= 0;
    const row = this.#usage.rowOf(quarter, model, role, tierOf(contextTokens), isRecorded ? 1 : 0);
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens = 0 } = usage;
    const columns = this.#usage.columns;
    columns.quarter[row] = quarter;
    columns.model[row] = model;
    columns.role[row] = role;
    columns.contextTokens[row] = Math.max(columns.contextTokens[row]!, contextTokens);
    columns.calls[row]! += 1;
    if (call.hasFailed) columns.failedCalls[row]! += 1;
    if (call.isPlaceholder) columns.placeholderCalls[row]! += 1;
    columns.inputTokens[row]! += inputTokens;
    columns.outputTokens[row]! += outputTokens;
    columns.cacheReadTokens[row]! += cacheReadTokens;
    columns.cacheWriteTokens[row]! += cacheWriteTokens;
    columns.cacheWrite1hTokens[row]! += cacheWrite1hTokens;
    columns.recordedUsd[row] = isRecorded ? columns.recordedUsd[row]! + recordedUsd : -1;
    if (!this.#isLarge(usage)) return;
    const tokens = { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens };
    this.#addLargest({ at, model, role, contextTokens, ...tokens, recordedUsd });
  }

  addTool({ at, name, outcome, durationMs, resultTokens }: CountedTool): void {
    const failures = outcome === "failed" ? 1 : 0;
    const refused = outcome === "refused" ? 1 : 0;
    this.addTools(at, name, { calls: 1, failures, refused, resultTokens });
    if (durationMs !== undefined) this.addDurations(at, name, durationClass(durationMs), 1);
  }

  addTools(at: number, name: string, added: CountedTools): void {
    const [quarter, tool] = [quarterOf(at), this.#tools.placeOf(name)];
    const { columns } = this.#toolUse;
    const row = this.#toolUse.rowOf(quarter, tool);
    columns.quarter[row] = quarter;
    columns.tool[row] = tool;
    columns.calls[row]! += added.calls;
    columns.failures[row]! += added.failures;
    columns.refused[row]! += added.refused;
    columns.resultTokens[row]! += added.resultTokens;
  }

  /** @param length class of durations, by `durationClass` */
  addDurations(at: number, toolName: string, length: number, calls: number): void {
    const [quarter, tool] = [quarterOf(at), this.#tools.placeOf(toolName)];
    const row = this.#durations.rowOf(quarter, tool, length);
    const { columns } = this.#durations;
    columns.quarter[row] = quarter;
    columns.tool[row] = tool;
    columns.length[row] = length;
    columns.calls[row]! += calls;
  }

  addCarried(
    at: number,
    toolName: string,
    { model, provider }: { readonly model: string | undefined; readonly provider?: string | undefined },
    tokens: { readonly first: number; readonly again: number },
  ): void {
    const [quarter, tool] = [quarterOf(at), this.#tools.placeOf(toolName)];
    const of = this.#placeOfModel(model, provider);
    const row = this.#carried.rowOf(quarter, tool, of);
    const { columns } = this.#carried;
    columns.quarter[row] = quarter;
    columns.tool[row] = tool;
    columns.model[row] = of;
    columns.firstTokens[row]! += tokens.first;
    columns.againTokens[row]! += tokens.again;
  }

  /** @param toolName `undefined` for a failure outside of tool calls */
  addFailure(at: number, cause: string, toolName: string | undefined): void {
    this.addFailures(at, cause, toolName, { count: 1, lastAt: at });
  }

  addFailures(
    at: number,
    cause: string,
    toolName: string | undefined,
    { count, lastAt }: { readonly count: number; readonly lastAt: number },
  ): void {
    const quarter = quarterOf(at);
    const of = this.#causes.placeOf(cause);
    const tool = toolName === undefined ? -1 : this.#tools.placeOf(toolName);
    const row = this.#failures.rowOf(quarter, of, tool);
    const { columns } = this.#failures;
    const isFirst = columns.count[row] === 0;
    columns.quarter[row] = quarter;
    columns.cause[row] = of;
    columns.tool[row] = tool;
    columns.count[row]! += count;
    columns.firstAt[row] = isFirst ? at : Math.min(columns.firstAt[row]!, at);
    columns.lastAt[row] = isFirst ? lastAt : Math.max(columns.lastAt[row]!, lastAt);
  }

  /** @param agentId the agent that called a model; `undefined` for other activity */
  addActivity(at: number, agentId?: string): void {
    const quarter = quarterOf(at);
    const row = this.#activity.rowOf(quarter);
    const { columns } = this.#activity;
    columns.quarter[row] = quarter;
    columns.minutes[row]! |= 1 << Math.floor((at - quarter * QUARTER_MS) / MINUTE_MS);
    if (agentId === undefined) return;
    const agents = this.#agentsOfQuarters.get(quarter) ?? new Set();
    this.#agentsOfQuarters.set(quarter, agents.add(agentId));
    columns.agents[row] = agents.size;
  }

  addFile(path: string, use: "edited" | "read"): void {
    const files = use === "edited" ? this.#edited : this.#read;
    if (files.size < MOST_FILES) files.add(path);
  }

  addAgents(count: number): void {
    this.#agents += count;
  }

  addCompactions(count: number): void {
    this.#compactions += count;
  }

  /**
   * Adds activity that another builder added up, without its model calls and files.
   * @param at replaces unrecorded instants, in milliseconds since the epoch
   */
  merge(other: FactsBuilder, at: number): void {
    const { tools, causes, models, toolUse, durations, carried, failures, activity, compactions } =
      other.build();
    const atOf = (quarter: number) => (quarter === UNKNOWN_QUARTER ? at : quarter * QUARTER_MS);
    this.addCompactions(compactions);
    for (const [i, quarter] of activity.quarter.entries()) {
      const row = this.#activity.rowOf(quarter);
      this.#activity.columns.quarter[row] = quarter;
      this.#activity.columns.minutes[row]! |= activity.minutes[i]!;
    }
    for (const [i, quarter] of toolUse.quarter.entries()) {
      const [calls, failures] = [toolUse.calls[i]!, toolUse.failures[i]!];
      const [refused, resultTokens] = [toolUse.refused[i]!, toolUse.resultTokens[i]!];
      this.addTools(atOf(quarter), tools[toolUse.tool[i]!]!, { calls, failures, refused, resultTokens });
    }
    for (const [i, quarter] of durations.quarter.entries())
      this.addDurations(atOf(quarter), tools[durations.tool[i]!]!, durations.length[i]!, durations.calls[i]!);
    for (const [i, quarter] of carried.quarter.entries()) {
      const tokens = { first: carried.firstTokens[i]!, again: carried.againTokens[i]! };
      this.addCarried(atOf(quarter), tools[carried.tool[i]!]!, models[carried.model[i]!]!, tokens);
    }
    for (const [i, quarter] of failures.quarter.entries()) {
      const hasQuarter = quarter !== UNKNOWN_QUARTER;
      const last = { count: failures.count[i]!, lastAt: hasQuarter ? failures.lastAt[i]! : at };
      const firstAt = hasQuarter ? failures.firstAt[i]! : at;
      this.addFailures(firstAt, causes[failures.cause[i]!]!, tools[failures.tool[i]!], last);
    }
  }

  /** Estimated memory. */
  get bytes(): number {
    const tables = [
      this.#usage,
      this.#toolUse,
      this.#durations,
      this.#carried,
      this.#failures,
      this.#activity,
    ];
    return tables.reduce((sum, { size }) => sum + size * ROW_BYTES, OWN_BYTES);
  }

  build(): SessionFacts {
    return {
      models: this.#models.list,
      roles: this.#roles.list,
      tools: this.#tools.list,
      causes: this.#causes.list,
      usage: this.#usage.columns,
      toolUse: this.#toolUse.columns,
      durations: this.#durations.columns,
      carried: this.#carried.columns,
      failures: this.#failures.columns,
      activity: this.#activity.columns,
      largestCalls: this.#largest,
      edited: [...this.#edited],
      read: [...this.#read],
      agents: this.#agents,
      compactions: this.#compactions,
    };
  }

  /** Consecutive calls usually have the same model. */
  #placeOfModel(model = "", provider = ""): number {
    const last = this.#lastModel;
    if (last.model === model && last.provider === provider) return last.place;
    const place = this.#models.placeOf(provider === "" ? { model } : { model, provider });
    this.#lastModel = { model, provider, place };
    return place;
  }

  #isLarge(usage: TokenUsage): boolean {
    return this.#largest.length < MOST_CALLS || weightOf(usage) > weightOf(this.#largest.at(-1)!);
  }

  #addLargest(call: FactsCall): void {
    const largest = [...this.#largest, call].sort((a, b) => weightOf(b) - weightOf(a));
    this.#largest = largest.slice(0, MOST_CALLS);
  }
}

const NO_MODEL = { model: undefined, provider: "", place: 0 };

const MINUTE_MS = 60_000;

const OWN_BYTES = 8_000;
const ROW_BYTES = 120;

/** Later than any instant of a `Date`. */
const UNKNOWN_QUARTER = 1e10;

function quarterOf(at: number): number {
  return Number.isNaN(at) ? UNKNOWN_QUARTER : Math.floor(at / QUARTER_MS);
}

/** Approximate price ratio of the token classes at the usual vendors. */
function weightOf({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: TokenUsage): number {
  return inputTokens + 5 * outputTokens + 0.1 * cacheReadTokens + 1.25 * cacheWriteTokens;
}
