import { useEffect, useState } from "react";
import type { InspectorSessionItem } from "../../../src/domain/session/session.js";
import { isSameSession, type SessionKey } from "../../../src/domain/session/session-key.js";
import type { MessagesViewModel } from "../engine/messages/message-protocol.js";
import type { ListQuery, SessionListState } from "../engine/sessions/list-protocol.js";
import { type SessionState, traceQuery } from "../engine/trace/trace-protocol.js";
import { maySummarize, type OpenedRoute } from "../model/address/address.js";
import { engine } from "./engine.js";
import { exported } from "./surroundings.js";
import { useAnswer } from "./use-answer.js";

const LIST_POLL_MS = 4000;
const SESSION_POLL_MS = 2500;

export function useList(query: ListQuery): SessionListState | undefined {
  const [state, setState] = useState<SessionListState>();
  useEffect(
    () =>
      engine.subscribe((update) => {
        if (update.topic === "list") setState(update.state);
      }),
    [],
  );
  const key = JSON.stringify(query);
  useEffect(() => {
    void engine.call("askList", JSON.parse(key) as ListQuery);
  }, [key]);
  useEffect(() => pollWhileVisible(LIST_POLL_MS, () => engine.call("refreshList")), []);
  return state;
}

export function useSession({ tenantId, sessionId, tab, query }: OpenedRoute) {
  const [state, setState] = useState<SessionState>();
  const [firstQuery] = useState(() => traceQuery(query));
  const [isFirst] = useState(maySummarize(tab));
  useEffect(() => {
    const unsubscribe = engine.subscribe((update) => {
      if (update.topic !== "session") return;
      if (update.state.sessionId !== sessionId || update.state.tenantId !== tenantId) return;
      setState(update.state);
    });
    void engine.call("openSession", { tenantId, sessionId }, firstQuery, isFirst);
    const stopPolling = pollWhileVisible(SESSION_POLL_MS, () => engine.call("pollSession"));
    return () => {
      unsubscribe();
      stopPolling();
      void engine.call("closeSession");
    };
  }, [tenantId, sessionId, firstQuery, isFirst]);

  const isSummary = maySummarize(tab);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each session that is opened has a trace of its own
  useEffect(() => {
    if (!isSummary) void engine.call("needTrace");
  }, [isSummary, tenantId, sessionId]);

  const current = isSameSession(state, { tenantId, sessionId }) ? state : undefined;
  const hasRows = current !== undefined && current.events > 0;
  useEffect(() => {
    if (hasRows) afterPaint(() => void engine.call("sessionPainted"));
  }, [hasRows]);
  return current;
}

/** `undefined` until the engine has it. */
export function useSessionItem(session: SessionKey | undefined): InspectorSessionItem | undefined {
  const [item, setItem] = useState<InspectorSessionItem>();
  useEffect(() => {
    return engine.subscribe((update) => {
      if (update.topic === "session") setItem(update.state.item);
    });
  }, []);
  return isSameSession(item, session) ? item : undefined;
}

/**
 * The engine reads it at the first request.
 * @param agentId `""` is the main agent. A component displays the conversation of one agent
 */
export function useMessages(version: number, agentId: string): MessagesViewModel | undefined {
  return useAnswer(() => engine.call("messagesView", agentId), [version, agentId]);
}

/** Pauses while the page is hidden, or a call is pending. A file never changes. */
function pollWhileVisible(periodMs: number, act: () => Promise<unknown> | undefined): () => void {
  if (exported !== undefined) return () => {};
  let busy = false;
  const timer = setInterval(async () => {
    if (busy || document.hidden) return;
    busy = true;
    try {
      await act();
    } finally {
      busy = false;
    }
  }, periodMs);
  return () => clearInterval(timer);
}

function afterPaint(then: () => void): void {
  requestAnimationFrame(() => setTimeout(then));
}
