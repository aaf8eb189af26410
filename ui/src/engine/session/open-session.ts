import type { Diagnosis } from "../../../../src/domain/diagnosis/session-diagnosis.js";
import { isJsonObject, parseJson } from "../../../../src/domain/json/json.js";
import {
  changesWithTime,
  type InspectorSessionItem,
  isUnfinished,
  stateOf,
} from "../../../../src/domain/session/session.js";
import type { SessionKey } from "../../../../src/domain/session/session-key.js";
import type { OrchestrationAgent } from "../../../../src/domain/trace/orchestration.js";
import { NO_USAGE, totalTokens } from "../../../../src/domain/usage/token-usage.js";
import { liveNow } from "../../model/live/live-now.js";
import { stepOfState } from "../../model/live/state-step.js";
import type { AgentStore } from "../agents/agent-store.js";
import { readAgent } from "../agents/read-agent.js";
import { LiveList, type SessionListPath } from "../records/live-list.js";
import { findSessionItem } from "../sessions/find-sessions.js";
import { TraceSummaries } from "../summary/session-summary.js";
import type { SessionState, TraceQuery, TraceViewModel } from "../trace/trace-protocol.js";
import { TraceStore } from "../trace/trace-store.js";
import { OpenConversation } from "./open-conversation.js";

/** The trace waits this long for the first paint: a hidden page paints nothing. */
const PAINT_TIMEOUT_MS = 300;

const HOLD_TIMEOUT_MS = 15_000;

/** The state of an unfinished session changes with time alone. */
const ITEM_MS = 10_000;

/** Reads the lists of the open session, polls them for changes, and publishes its state. */
export class OpenSession {
  readonly trace: TraceStore;
  readonly conversation: OpenConversation;
  readonly #base: string;
  readonly ref: SessionKey;
  readonly #publish: (state: SessionState) => void;
  readonly #closing = new AbortController();
  readonly #traceList: LiveList;
  readonly #agentList: LiveList;
  #agentStore: AgentStore | undefined;
  readonly #summaries = new TraceSummaries();
  #item: InspectorSessionItem | undefined;
  #agents: readonly OrchestrationAgent[] = [];
  #resolveNeed: (() => void) | undefined;
  readonly #traceNeeded = new Promise<void>((resolve) => {
    this.#resolveNeed = resolve;
  });
  #resolvePaint: (() => void) | undefined;
  readonly #firstPaint = new Promise<void>((resolve) => {
    this.#resolvePaint = resolve;
  });
  #traceVersion = 0;
  #opening = true;
  #itemAt = 0;
  #published: SessionState | undefined;

  constructor(base: string, session: SessionKey, query: TraceQuery, publish: (state: SessionState) => void) {
    this.trace = new TraceStore(base, query, this.#closing.signal, () => this.notify());
    this.conversation = new OpenConversation(base, session, this.trace, this.#closing.signal, () =>
      this.notify(),
    );
    this.#base = base;
    this.ref = session;
    this.#publish = publish;
    this.#traceList = this.#list("/sessions/{sessionId}/trace", () => this.#showFirstRows());
    this.#agentList = this.#list("/sessions/{sessionId}/orchestration", () => undefined);
  }

  get agents(): readonly OrchestrationAgent[] {
    return this.#agents;
  }

  /**
   * Reads the trace first, and the rest after the first paint, because the service reads one thing at a time. The trace waits for a
   * visible summary: in parallel, each takes as long as both.
   * @param item the session list's entry, if available
   * @param needsItem nothing can be displayed without the item: the visible view may be the summary
   */
  async open(item: InspectorSessionItem | undefined, needsItem: boolean): Promise<void> {
    if (!needsItem) this.needTrace();
    this.#item = item;
    if (needsItem && item !== undefined) this.notify();
    const early = needsItem && item === undefined ? this.#readItem() : undefined;
    // Without an entry in the list, only the trace has facts.
    void early?.then(() => this.#item ?? this.needTrace());
    await Promise.race([this.#traceNeeded, new Promise((resolve) => setTimeout(resolve, HOLD_TIMEOUT_MS))]);
    const trace = this.#readTrace();
    await Promise.race([trace, this.#firstPaint]);
    await Promise.all([early ?? this.#readItem(), this.#readAgents(), trace]);
    this.#opening = false;
    this.notify();
  }

  /** The visible view needs the trace, or does not compete with it. */
  needTrace(): void {
    this.#resolveNeed?.();
  }

  markHits(sequences: ReadonlySet<number>): void {
    if (this.trace.mark(sequences)) this.notify();
  }

  painted(): void {
    this.#resolvePaint?.();
  }

  /** Publishes once; without changes, this is one answer without a body. */
  async poll(): Promise<void> {
    if (this.#opening) return;
    const traceChanged = await this.#traceList.refresh();
    const messagesChanged = await this.conversation.refresh();
    if (!traceChanged && !messagesChanged) return this.#followTime();
    const [agentsChanged] = await Promise.all([this.#refreshAgents(), this.#refreshItem()]);
    if (traceChanged || agentsChanged) this.#takeTrace();
    if (messagesChanged) await this.conversation.take();
    this.notify();
  }

  /** A silent session stalls or stops with time alone. */
  async #followTime(): Promise<void> {
    if (isUnfinished(this.#item) && Date.now() - this.#itemAt > ITEM_MS) await this.#refreshItem();
    if (this.#item !== this.#published?.item) this.notify();
  }

  close(): void {
    this.#closing.abort();
  }

  /** The overview folds idle time as the waterfall does. */
  view(query: TraceQuery): TraceViewModel {
    const { foldsGaps } = this.trace;
    const view = this.trace.view(query);
    if (this.trace.foldsGaps !== foldsGaps) this.notify();
    return view;
  }

  async agentStore(): Promise<AgentStore> {
    const { AgentStore } = await import("../agents/agent-store.js");
    const { model, records, costs, foldsGaps: foldGaps } = this.trace;
    const status = this.#item === undefined ? "" : stateOf(this.#item).kind;
    const source = { model, records, status, foldGaps, costs, total: costs.total, agents: this.#agents };
    this.#agentStore ??= new AgentStore(source);
    this.#agentStore.update(source);
    return this.#agentStore;
  }

  async diagnosis(): Promise<Diagnosis> {
    const { diagnoseTrace } = await import("../summary/trace-diagnosis.js");
    const { model, records, costs } = this.trace;
    return diagnoseTrace(model, records, (call) => costs.of(call));
  }

  notify(): void {
    if (this.#closing.signal.aborted) return;
    const { model } = this.trace;
    const { usage, ...summary } = this.#summaries.of(model, this.trace.foldsGaps, this.trace.costs);
    const recorded = this.#item?.usage;
    const item = this.#item;
    const openMs = item !== undefined && changesWithTime(item) ? Math.max(0, liveNow() - model.to) : 0;
    this.#published = {
      ...this.ref,
      item,
      agents: this.#agents,
      traceVersion: this.#traceVersion,
      messagesVersion: this.conversation.messages.version,
      events: model.events.length,
      bookkeeping: model.bookkeeping.size,
      loading: this.#opening,
      warnings: {
        trace: this.#traceList.warnings,
        orchestration: this.#agentList.warnings,
        messages: this.conversation.warnings,
      },
      problem: this.#traceList.problem,
      totals: model.totals,
      stateStep: item && stepOfState(model.spans, item),
      ...summary,
      usage: totalTokens(recorded ?? NO_USAGE) > 0 ? recorded! : usage,
      cost: this.trace.costs.total,
      from: model.from,
      to: model.to + openMs,
      activeMs: model.activeMs + openMs,
      view: this.trace.viewModel,
    };
    this.#publish(this.#published);
  }

  #list(path: SessionListPath, onGrowth: () => Promise<void> | undefined): LiveList {
    return new LiveList(this.#base, path, this.ref, this.#closing.signal, onGrowth);
  }

  async #readTrace(): Promise<boolean> {
    const changed = await this.#traceList.refresh();
    if (changed) await this.#readOn();
    return changed;
  }

  async #readAgents(): Promise<void> {
    if (await this.#refreshAgents()) this.#updateTrace();
  }

  /** @returns true if the trace must be rebuilt */
  async #refreshAgents(): Promise<boolean> {
    if (!(await this.#agentList.refresh())) return false;
    const agents = this.#agentList.records.map(parseJson);
    const before = this.#agents.length;
    this.#agents = agents.filter(isJsonObject).map(readAgent);
    return this.trace.records.length > 0 && before + this.#agents.length > 0;
  }

  async #readItem(): Promise<void> {
    await this.#refreshItem();
    this.notify();
  }

  /** Only the list has title, user and tokens. */
  async #refreshItem(): Promise<void> {
    this.#itemAt = Date.now();
    this.#item = (await findSessionItem(this.#base, this.ref, this.#closing.signal)) ?? this.#item;
    this.trace.workIn(this.#item?.directory ?? "");
    this.conversation.messages.workIn(this.trace.directory);
  }

  /** Holds the rest back until the page has painted the first rows. */
  async #showFirstRows(): Promise<void> {
    await this.#readOn();
    await Promise.race([this.#firstPaint, new Promise((resolve) => setTimeout(resolve, PAINT_TIMEOUT_MS))]);
    this.painted();
  }

  /** Parses first: this takes most of the time, and other requests may run meanwhile. */
  async #readOn(): Promise<void> {
    await this.trace.recorded.prepare(this.#traceList.records.slice());
    this.#updateTrace();
  }

  #updateTrace(): void {
    this.#takeTrace();
    this.notify();
  }

  #takeTrace(): void {
    this.trace.update(this.#traceList.records.slice(), new Set(this.#agents.map(({ agentId }) => agentId)));
    this.conversation.messages.workIn(this.trace.directory);
    this.#traceVersion++;
  }
}
