import { startTransition, useEffect, useState } from "react";
import type { ListQuery } from "../engine/list-protocol.js";
import type { MessagesViewModel } from "../engine/message-protocol.js";
import type { SessionListState } from "../engine/session-list-store.js";
import { type SessionState, traceQuery } from "../engine/trace-protocol.js";
import type { Query, SessionRef } from "../model/address.js";
import { engine } from "./engine.js";

const REFRESH_MS = 4000;

/** The session list as the engine holds it, kept fresh while the page is looked at. */
export function useList(query: ListQuery): SessionListState | undefined {
  const [news, setNews] = useState<SessionListState>();
  useEffect(
    () =>
      engine.listen((told) => {
        // Drawn in slices: a whole screen of rows at once would hold up the keyboard.
        if (told.topic === "list") startTransition(() => setNews(told.news));
      }),
    [],
  );
  const wanted = JSON.stringify(query);
  useEffect(() => {
    void engine.call("askList", JSON.parse(wanted) as ListQuery);
  }, [wanted]);
  useEffect(() => every(REFRESH_MS, () => engine.call("refreshList")), []);
  return news;
}

/** Again and again, but not while nobody looks, and not before the last one is done. */
function every(periodMs: number, act: () => Promise<unknown> | undefined): () => void {
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

const POLL_MS = 2500;

/** Opens a session in the engine, and follows it while the page is looked at. */
export function useSession({ tenantId, sessionId, query }: SessionRef & { readonly query: Query }) {
  const [news, setNews] = useState<SessionState>();
  const [asked] = useState(() => traceQuery(query));
  useEffect(() => {
    const deaf = engine.listen((told) => {
      if (told.topic !== "session") return;
      if (told.news.sessionId !== sessionId || told.news.tenantId !== tenantId) return;
      // Drawn in slices: a whole screen of rows at once would hold up the keyboard.
      startTransition(() => setNews(told.news));
    });
    void engine.call("openSession", { tenantId, sessionId }, asked);
    const still = every(POLL_MS, () => engine.call("pollSession"));
    return () => {
      deaf();
      still();
      void engine.call("closeSession");
    };
  }, [tenantId, sessionId, asked]);

  const known = news?.sessionId === sessionId && news.tenantId === tenantId ? news : undefined;
  const hasRows = known !== undefined && known.events > 0;
  useEffect(() => {
    if (hasRows) afterPaint(() => void engine.call("sessionShown"));
  }, [hasRows]);
  return known;
}

function afterPaint(then: () => void): void {
  requestAnimationFrame(() => setTimeout(then));
}

/** The conversation as the engine holds it; asking for it is what makes the engine read it. */
export function useMessages(search: string, version: number): MessagesViewModel | undefined {
  const [view, setView] = useState<MessagesViewModel>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the conversation has grown
  useEffect(() => {
    let stale = false;
    engine.call("messagesView", search).then((known) => {
      if (!stale) setView(known);
    });
    return () => {
      stale = true;
    };
  }, [search, version]);
  return view;
}
