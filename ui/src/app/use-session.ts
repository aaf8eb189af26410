import { startTransition, useEffect, useState } from "react";
import type { SessionNews } from "../engine/trace-protocol.js";
import { traceQuery } from "../engine/trace-query.js";
import type { Query, SessionRef } from "../model/address.js";
import { engine } from "./engine.js";
import { every } from "./use-list.js";

const POLL_MS = 2500;

/** Opens a session in the engine, and follows it while the page is looked at. */
export function useSession({ tenantId, sessionId, query }: SessionRef & { readonly query: Query }) {
  const [news, setNews] = useState<SessionNews>();
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
