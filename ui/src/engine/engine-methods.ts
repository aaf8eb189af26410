import type { ToolUse } from "../../../src/domain/conversation/provenance.js";
import { isSameSession, type SessionKey } from "../../../src/domain/session/session-key.js";
import type { QueryAt } from "../api/endpoint-address.js";
import type { AddressQuery, SessionTab } from "../model/address/address.js";
import type { AgentsQuery } from "../model/agents/agents-query.js";
import type { PageSearch } from "../model/search/search.js";
import type { EntryProvenance, MessageTarget } from "./messages/message-protocol.js";
import { visibleChanges } from "./messages/visible-changes.js";
import { OverviewNames } from "./overview/overview-values.js";
import { type OverviewQuestion, readOverview } from "./overview/read-overview.js";
import type { SearchName, SearchState } from "./search/search-protocol.js";
import { type HitRef, SearchStore } from "./search/search-store.js";
import { SessionSearchStore } from "./search/session-search-store.js";
import { findError } from "./session/find-error.js";
import { OpenSession } from "./session/open-session.js";
import { findSessions } from "./sessions/find-sessions.js";
import type { ListQuery, SessionListState } from "./sessions/list-protocol.js";
import { SessionListStore } from "./sessions/session-list-store.js";
import type { ExportQuery } from "./share/read-export.js";
import { readSources } from "./sources/read-sources.js";
import type { PackedState } from "./state-channel.js";
import { SummaryStore } from "./summary/summary-store.js";
import { CallReadouts } from "./trace/call-readouts.js";
import { windowOfPeak } from "./trace/context-window.js";
import type { SessionState, TraceQuery } from "./trace/trace-protocol.js";
import type { WhyQuery } from "./why/read-why.js";

export type EngineUpdate =
  | { readonly topic: "session"; readonly state: SessionState }
  | { readonly topic: "list"; readonly state: SessionListState }
  | { readonly topic: "search"; readonly name: SearchName; readonly state: SearchState };

/** Hits that end a search; the search of all sessions counts sessions. */
const MAX_RESULTS: { readonly [name in SearchName]: number } = {
  sessions: 5_000,
  address: 1_000,
  commands: 20,
};

/** The session was left: its request needs no answer. */
export class NoSessionError extends Error {
  constructor() {
    super("no session is open");
  }
}

/**
 * Methods of the engine, a worker that holds the answers of the API: the page gets only what is on the screen.
 * @param base without a slash at its end
 */
export function engineMethods(base: string, notify: (update: EngineUpdate) => void) {
  let session: OpenSession | undefined;
  let finding = new AbortController();
  let summing = new AbortController();
  let reviewing = new AbortController();
  let explaining = new AbortController();
  const overviewNames = new OverviewNames(base);
  const list = new SessionListStore(base, (state) => notify({ topic: "list", state }));
  const searches = {
    sessions: new SessionSearchStore(base, MAX_RESULTS.sessions, (state) =>
      notify({ topic: "search", name: "sessions", state }),
    ),
    address: new SearchStore(base, MAX_RESULTS.address, (state) => {
      markHits();
      notify({ topic: "search", name: "address", state });
    }),
    commands: new SearchStore(base, MAX_RESULTS.commands, (state) =>
      notify({ topic: "search", name: "commands", state }),
    ),
  };
  const summaries = new SummaryStore(base);
  const readouts = new CallReadouts();
  const markHits = () => session?.markHits(searches.address.sequencesIn(session.ref));
  const open = (): OpenSession => {
    if (session === undefined) throw new NoSessionError();
    return session;
  };
  return {
    askList: (query: ListQuery) => list.ask(query),
    refreshList: () => list.refresh(),
    listLines: (from: number, to: number) => list.lines(from, to),
    listValues: () => list.values(),
    overviewValues: () => overviewNames.values(),
    listIndex: (tenantId: string, sessionId: string) => list.indexOf(tenantId, sessionId),

    search: (name: SearchName, request: PageSearch | undefined) => searches[name].ask(request),
    searchOn: (name: SearchName) => searches[name].goOn(),
    searchLines: (name: SearchName, from: number, to: number) => searches[name].lines(from, to),
    searchOrdinal: (hit: HitRef) => searches.address.ordinal(hit),
    /** @param name search of the hits. Default is that of the session */
    searchNext: (hit: HitRef, step: 1 | -1, name: "sessions" | "address" = "address") =>
      searches[name].next(hit, step),
    /** By title, id or user. Ends the previous call, which then returns what it has. */
    findSessions(q: string, limit: number) {
      finding.abort();
      finding = new AbortController();
      return findSessions(base, { q, limit }, finding.signal);
    },

    sources: (only?: "due") => readSources(base, only),

    /** Ends the previous call, which then returns nothing. */
    overview(query: OverviewQuestion) {
      summing.abort();
      summing = new AbortController();
      return readOverview(base, query, summing.signal);
    },

    /** Returns texts that an exported file would omit. Ends the previous call. */
    async exportReview(query: QueryAt<"/sessions/{sessionId}/findings">) {
      reviewing.abort();
      reviewing = new AbortController();
      const { readReview } = await import("./share/read-export.js");
      return readReview(base, query, reviewing.signal);
    },
    async exportPrompt(query: Omit<ExportQuery, "format">) {
      const { readPrompt } = await import("./share/read-export.js");
      return readPrompt(base, query);
    },
    async exportProblem(query: ExportQuery) {
      const { exportProblem } = await import("./share/read-export.js");
      return exportProblem(base, query);
    },

    /** Ends the previous call. */
    async why(query: WhyQuery) {
      explaining.abort();
      explaining = new AbortController();
      const { readWhy } = await import("./why/read-why.js");
      return readWhy(base, query, explaining.signal);
    },

    async compareSessions(one: SessionKey, other: SessionKey) {
      const { readComparison } = await import("./compare/read-comparison.js");
      return readComparison(base, one, other);
    },
    async stepRows(one: SessionKey, other: SessionKey, page: number) {
      const { readStepRows } = await import("./compare/read-comparison.js");
      return readStepRows(base, one, other, page);
    },
    async modelWindow(model: string, at?: string) {
      const { modelWindow } = await import("./context/model-window.js");
      return modelWindow(base, model, at);
    },
    async comparableSessions(one: SessionKey, q: string) {
      const { comparableSessions } = await import("./compare/comparable-sessions.js");
      return comparableSessions(base, one, q);
    },

    /**
     * Sends the state of an open session once more.
     * @param isFirst true for the session's first view, which depends on its status
     */
    async openSession({ tenantId, sessionId }: SessionKey, query: TraceQuery, isFirst = false) {
      if (session && isSameSession(session.ref, { tenantId, sessionId })) return session.notify();
      session?.close();
      session = new OpenSession(base, { tenantId, sessionId }, query, (state) =>
        notify({ topic: "session", state }),
      );
      markHits();
      await session.open(list.item(session.ref), isFirst);
    },
    closeSession() {
      session?.close();
      session = undefined;
    },
    pollSession: () => session?.poll(),

    sessionPainted: () => session?.painted(),

    needTrace: () => session?.needTrace(),

    /** Does not wait for the open session: needs nothing of it. */
    async sessionSummary(of: SessionKey) {
      const state = await summaries.read(of);
      if (session && isSameSession(session.ref, of)) session.needTrace();
      return state;
    },
    sessionDiagnosis: () => open().diagnosis(),

    traceView: (query: TraceQuery) => open().view(query),
    traceRows: (from: number, to: number) => open().trace.rows(from, to),
    traceToggle: (id: string) => open().trace.toggle(id),
    traceFoldAll: (fold: boolean) => open().trace.foldAll(fold),
    traceLocate: (id: string) => open().trace.locate(id),
    traceHolders: (index: number) => open().trace.holders(index),
    traceEventAt: (sequence: number) => open().trace.eventAt(sequence),
    traceSubjects: (ids: readonly string[]) => ids.map((id) => open().trace.subject(id)),
    traceDetail: (id: string) => open().trace.detail(id),
    traceChanges(id: string) {
      const call = open().trace.toolCall(id);
      return call && visibleChanges(call);
    },
    async traceImages(id: string) {
      const { imagesOfEnvelopes } = await import("./messages/displayed-images.js");
      return imagesOfEnvelopes(open().trace.text(id));
    },
    /** `undefined` if its events do not contain it. */
    async traceInput(id: string) {
      const { inputMessages } = await import("./context/input-messages.js");
      const { trace } = open();
      return inputMessages(trace.recordsOf(id), trace.directory);
    },
    async traceInputText(id: string, index: number) {
      const { inputText } = await import("./context/input-messages.js");
      return inputText(open().trace.recordsOf(id), index);
    },
    traceText: (id: string) => open().trace.text(id),
    agentPrompt: (agentId: string) => open().trace.recorded.agentPrompt(agentId),

    callReadout: (id: string) => readouts.of(open().trace, id),

    agentsView: async (query: AgentsQuery) => (await open().agentStore()).view(query),
    agentsRows: async (from: number, to: number) => (await open().agentStore()).rows(from, to),
    agentsDetail: async (id: string) => (await open().agentStore()).detail(id),
    agentsToggle: async (id: string) => (await open().agentStore()).toggle(id),
    agentsFoldAll: async (fold: boolean) => (await open().agentStore()).foldAll(fold),
    agentsLocate: async (id: string) => (await open().agentStore()).locate(id),

    findError: (tab: SessionTab, query: AddressQuery, step: 1 | -1, around: boolean) =>
      findError(open(), tab, query, step, around),

    /** Other requests for messages and contexts refer to the agent of the latest such request. */
    messagesView: (agentId = "") => open().conversation.view(agentId),
    messageEntries: (from: number, to: number) => open().conversation.outline.rows(from, to),
    messageTurns: () => open().conversation.outline.turns(),
    messageEdits: () => open().conversation.outline.edits(),
    messageLocate: (target: MessageTarget) => open().conversation.messages.locate(target),
    messageFullText: (index: number, which: "part" | "result") =>
      open().conversation.messages.fullText(index, which),
    messageChanges(index: number) {
      const { trace, conversation } = open();
      const call = conversation.messages.call(index);
      return call && visibleChanges({ ...call, end: trace.recorded.endOfCall(call.callId) });
    },
    async messageImages(index: number) {
      const { displayedImages } = await import("./messages/displayed-images.js");
      return displayedImages(open().conversation.messages.images(index));
    },
    messageJson: (index: number) => open().conversation.messages.messageJson(index),

    /** @param agentId default is the agent of the latest request for messages */
    async contextCalls(agentId = "") {
      const { model, costs } = open().trace;
      return {
        ...(await open().conversation.contexts()).calls(),
        window: windowOfPeak(model, agentId, costs),
      };
    },
    contextHead: async (call: number) => (await open().conversation.contexts()).head(call),
    async contextDropped(base: number, call: number) {
      const { trace } = open();
      return (await open().conversation.contexts()).dropped(base, call, (id) =>
        trace.recorded.stepOfCall(id),
      );
    },
    contextCompare: async (base: number, call: number, find = "") =>
      (await open().conversation.contexts()).compare(base, call, find),
    async contextProvenance(call: number, index: number): Promise<EntryProvenance | undefined> {
      const { trace } = open();
      const provenance = (await open().conversation.contexts()).provenance(call, index);
      const inTrace = <T extends ToolUse>(use: T) => ({
        ...use,
        stepId: trace.recorded.stepOfCall(use.toolCallId),
      });
      return (
        provenance && {
          ...provenance,
          uses: provenance.source.by === "tool" ? provenance.source.uses.map(inTrace) : [],
          repetitions: provenance.repetitions.map(inTrace),
        }
      );
    },
    contextRun: async (call: number, from: number, to: number, change: "kept" | "dropped") =>
      (await open().conversation.contexts()).contextsBetween(call, from, to, change),
    contextText: async (index: number) => (await open().conversation.contexts()).text(index),
    contextBeginning: async (index: number) => (await open().conversation.contexts()).beginning(index),
  };
}

export type EngineMethods = ReturnType<typeof engineMethods>;
export type EngineMethod = keyof EngineMethods;

export type ToEngine =
  | { readonly type: "start"; readonly base: string }
  | {
      readonly type: "call";
      readonly id: number;
      readonly method: EngineMethod;
      readonly args: readonly unknown[];
    };

export type FromEngine =
  | { readonly type: "answer"; readonly id: number; readonly value: unknown }
  | { readonly type: "outdated"; readonly id: number }
  | { readonly type: "failure"; readonly id: number; readonly message: string }
  | ({ readonly type: "update" } & Exclude<EngineUpdate, { readonly topic: "session" }>)
  | { readonly type: "update"; readonly topic: "session"; readonly state: PackedState };
