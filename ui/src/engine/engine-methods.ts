import type { SessionRef } from "../model/address.js";
import type { ListQuery } from "./list-protocol.js";
import { OpenSession } from "./open-session.js";
import { type SessionListState, SessionListStore } from "./session-list-store.js";
import type { SessionState, TraceQuery } from "./trace-protocol.js";

/** What the engine says without being asked. */
export type EngineUpdate =
  | { readonly topic: "session"; readonly news: SessionState }
  | { readonly topic: "list"; readonly news: SessionListState };

/**
 * Everything the page can ask of the engine, which lives in a worker: it reads the answers of the API, holds them, and hands
 * the page no more than what is on the screen.
 */
export function engineMethods(base: string, tell: (news: EngineUpdate) => void) {
  let session: OpenSession | undefined;
  const list = new SessionListStore(base, (news) => tell({ topic: "list", news }));
  const open = (): OpenSession => {
    if (session === undefined) throw new Error("no session is open");
    return session;
  };
  return {
    askList: (query: ListQuery) => list.ask(query),
    refreshList: () => list.refresh(),
    listLines: (from: number, to: number) => list.lines(from, to),
    listPlace: (tenantId: string, sessionId: string) => list.place(tenantId, sessionId),

    /** Of the session that is open already, only its news are told once more. */
    async openSession({ tenantId, sessionId }: SessionRef, asked: TraceQuery) {
      if (session?.isOf({ tenantId, sessionId })) return session.announce();
      session?.close();
      session = new OpenSession(base, { tenantId, sessionId }, asked, (news) =>
        tell({ topic: "session", news }),
      );
      await session.open();
    },
    closeSession() {
      session?.close();
      session = undefined;
    },
    pollSession: () => session?.poll(),

    /** The page has painted what it was told of the session first. */
    sessionShown: () => session?.shown(),

    traceView: (query: TraceQuery) => open().trace.view(query),
    traceRows: (from: number, to: number) => open().trace.rows(from, to),
    traceToggle: (id: string) => open().trace.toggle(id),
    traceFoldAll: (fold: boolean) => open().trace.foldAll(fold),
    traceLocate: (id: string) => open().trace.locate(id),
    traceSeek: (what: "error" | "hit", from: string | undefined, step: 1 | -1) =>
      open().trace.seek(what, from, step),
    traceDetail: (id: string) => open().trace.detail(id),
    traceText: (id: string) => open().trace.text(id),
    agentJob: (agentId: string) => open().trace.jobStart(agentId),

    messagesView: (query: string) => open().messagesView(query),
    messageEntries: (from: number, to: number) => open().messages.entries(from, to),
    messageLocate: (target: { messageIndex: number } | { callId: string }) => open().messages.locate(target),
    messageWhole: (place: number, which: "part" | "result") => open().messages.wholeText(place, which),
    messageText: (index: number) => open().messages.messageText(index),
    messageJson: (index: number) => open().messages.messageJson(index),

    contextCalls: () => open().contextCalls(),
    contextCompare: (base: number, call: number) => open().messages.compare(base, call),
    contextRun: (call: number, from: number, to: number, change: "kept" | "dropped") =>
      open().messages.seenBetween(call, from, to, change),
  };
}

export type EngineMethods = ReturnType<typeof engineMethods>;
export type EngineMethod = keyof EngineMethods;

/** From the page to the worker: first where the API is, then calls. */
export type ToEngine =
  | { readonly type: "start"; readonly base: string }
  | {
      readonly type: "call";
      readonly id: number;
      readonly method: EngineMethod;
      readonly args: readonly unknown[];
    };

/** From the worker to the page. */
export type FromEngine =
  | { readonly type: "answer"; readonly id: number; readonly value: unknown }
  | { readonly type: "failure"; readonly id: number; readonly message: string }
  | ({ readonly type: "news" } & EngineUpdate);
