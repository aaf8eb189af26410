import { isJsonObject } from "../../../src/domain/json.js";
import type { OrchestrationAgent } from "../../../src/domain/orchestration.js";
import { type InspectorSessionItem, NO_USAGE, totalTokens } from "../../../src/domain/session.js";
import { ApiError } from "../api/api-problem.js";
import {
  RESOURCE_MEMBERS,
  type SessionResource,
  sessionResourceAddress,
  sessionsAddress,
} from "../api/endpoints.js";
import { fetchRecords } from "../api/fetch-records.js";
import type { SessionRef } from "../model/address.js";
import type { TracedCall } from "../model/context-calls.js";
import { spanUsage, walkSpans } from "../model/span.js";
import { contextTokens } from "../model/token-counts.js";
import { LiveList } from "./live-list.js";
import type { ContextCalls, MessagesViewModel } from "./message-protocol.js";
import { MessageStore } from "./message-store.js";
import { summarizeTrace } from "./session-summary.js";
import type { SessionState, TraceQuery } from "./trace-protocol.js";
import { TraceStore } from "./trace-store.js";

/** How long the rest of a trace waits at most for the page to have painted the first rows: a page out of sight paints nothing. */
const FIRST_ROWS_MS = 300;

/** Everything about one session: reads its lists, keeps them up to date, and tells the page what has changed. */
export class OpenSession {
  readonly trace: TraceStore;
  readonly messages = new MessageStore();
  readonly #base: string;
  readonly #session: SessionRef;
  readonly #tell: (news: SessionState) => void;
  readonly #closing = new AbortController();
  readonly #traceList: LiveList;
  readonly #messageList: LiveList;
  readonly #agentList: LiveList;
  #item: InspectorSessionItem | undefined;
  #agents: readonly OrchestrationAgent[] = [];
  #show: (() => void) | undefined;
  readonly #begun = new Promise<void>((resolve) => {
    this.#show = resolve;
  });
  #traceVersion = 0;
  #opening = true;
  #wantsMessages = false;

  constructor(base: string, session: SessionRef, asked: TraceQuery, tell: (news: SessionState) => void) {
    this.trace = new TraceStore(asked);
    this.#base = base;
    this.#session = session;
    this.#tell = tell;
    this.#traceList = this.#list("trace", () => this.#drawBeginning());
    this.#messageList = this.#list("messages", () => {
      this.#drawMessages();
      return undefined;
    });
    this.#agentList = this.#list("orchestration", () => undefined);
  }

  isOf({ tenantId, sessionId }: SessionRef): boolean {
    return this.#session.tenantId === tenantId && this.#session.sessionId === sessionId;
  }

  /** What the page shows first comes first: the service reads one thing at a time too. */
  async open(): Promise<void> {
    const trace = this.#readTrace();
    await Promise.race([trace, this.#begun]);
    await Promise.all([this.#readItem(), this.#readAgents(), trace]);
    this.#opening = false;
    this.announce();
  }

  /** The page has painted rows. */
  shown(): void {
    this.#show?.();
  }

  /** Asks whether anything is new; costs one answer without a body where nothing is. */
  async poll(): Promise<void> {
    const changed = await this.#readTrace();
    const talked = this.#wantsMessages && (await this.#readMessages());
    if (!changed && !talked) return;
    await Promise.all([this.#readAgents(), this.#readItem()]);
    this.announce();
  }

  close(): void {
    this.#closing.abort();
  }

  /** The conversation is read when somebody first looks at it. */
  async messagesView(query: string): Promise<MessagesViewModel> {
    if (!this.#wantsMessages) {
      this.#wantsMessages = true;
      this.#readMessages().then(() => this.announce());
    }
    return {
      version: this.messages.version,
      entries: this.messages.entryCount,
      messages: this.messages.messageCount,
      loading: this.#messageList.loading,
      hits: this.messages.search(query),
      problem: this.#messageList.problem,
    };
  }

  contextCalls(): ContextCalls {
    const traced: TracedCall[] = [];
    walkSpans(this.trace.model.roots, (span) => {
      if (span.kind !== "llm" || span.agentId !== "" || span.start.phase === "point") return;
      const usage = spanUsage(span);
      traced.push({
        spanId: span.id,
        at: span.start.at,
        tokens: usage === undefined ? undefined : contextTokens(usage),
        // Some writers call a call by the id of its answer.
        messageId: span.end?.messageId ?? span.start.messageId ?? span.start.key,
      });
    });
    return this.messages.calls(traced);
  }

  #list(list: SessionResource, onGrowth: () => Promise<void> | undefined): LiveList {
    const address = sessionResourceAddress(this.#base, this.#session, list);
    return new LiveList(address, RESOURCE_MEMBERS[list], this.#closing.signal, onGrowth);
  }

  async #readTrace(): Promise<boolean> {
    const changed = await this.#traceList.refresh();
    if (changed) this.#drawTrace();
    return changed;
  }

  async #readMessages(): Promise<boolean> {
    const changed = await this.#messageList.refresh();
    if (changed) this.#drawMessages();
    return changed;
  }

  async #readAgents(): Promise<void> {
    if (!(await this.#agentList.refresh())) return;
    const read = this.#agentList.texts.map((text): unknown => JSON.parse(text));
    const known = this.#agents.length;
    this.#agents = read.filter((agent) => isJsonObject(agent)) as unknown as OrchestrationAgent[];
    if (this.trace.texts.length > 0 && known + this.#agents.length > 0) this.#drawTrace();
  }

  /** The list knows the title, the user and the tokens; there is no other place to ask for them. */
  async #readItem(): Promise<void> {
    const { tenantId, sessionId } = this.#session;
    const address = sessionsAddress(this.#base, { tenantId, userId: "", status: "", q: sessionId }, 100);
    try {
      await fetchRecords(
        address,
        "sessions",
        (text) => {
          const item = JSON.parse(text) as InspectorSessionItem;
          if (item.sessionId === sessionId && item.tenantId === tenantId) this.#item = item;
        },
        { signal: this.#closing.signal },
      );
    } catch (error) {
      // The trace's own problem is the one to show: a list that cannot be read is no reason to hide a session.
      if (!(error instanceof ApiError) && !this.#closing.signal.aborted) throw error;
    }
    this.announce();
  }

  /** The first rows are painted before more is read. */
  async #drawBeginning(): Promise<void> {
    this.#drawTrace();
    await Promise.race([this.#begun, new Promise((resolve) => setTimeout(resolve, FIRST_ROWS_MS))]);
    this.shown();
  }

  #drawTrace(): void {
    this.trace.update(this.#traceList.texts.slice(), new Set(this.#agents.map(({ agentId }) => agentId)));
    this.#traceVersion++;
    this.announce();
  }

  #drawMessages(): void {
    this.messages.update(this.#messageList.texts.slice());
    this.announce();
  }

  /** Tells the page how the session stands. */
  announce(): void {
    if (this.#closing.signal.aborted) return;
    const { model } = this.trace;
    const { usage, ...summary } = summarizeTrace(model);
    const recorded = this.#item?.usage;
    this.#tell({
      ...this.#session,
      item: this.#item,
      agents: this.#agents,
      traceVersion: this.#traceVersion,
      messagesVersion: this.messages.version,
      events: model.events.length,
      loading: this.#opening,
      warnings: {
        trace: this.#traceList.warnings,
        orchestration: this.#agentList.warnings,
        messages: this.#messageList.warnings,
      },
      problem: this.#traceList.problem,
      totals: model.totals,
      ...summary,
      usage: totalTokens(recorded ?? NO_USAGE) > 0 ? recorded! : usage,
      from: model.from,
      to: model.to,
      activeMs: model.activeMs,
      view: this.trace.drawn,
    });
  }
}
