import { useEffect, useState } from "react";
import type { SessionNews } from "../engine/trace-protocol.js";
import { engine } from "./engine.js";
import { every } from "./use-list.js";

const POLL_MS = 2500;

/** Opens a session in the engine, and follows it while the page is looked at. */
export function useSession(tenantId: string, sessionId: string): SessionNews | undefined {
  const [news, setNews] = useState<SessionNews>();
  useEffect(() => {
    const deaf = engine.listen((told) => {
      if (told.topic !== "session") return;
      if (told.news.sessionId === sessionId && told.news.tenantId === tenantId) setNews(told.news);
    });
    void engine.call("openSession", { tenantId, sessionId });
    const still = every(POLL_MS, () => engine.call("pollSession"));
    return () => {
      deaf();
      still();
      void engine.call("closeSession");
    };
  }, [tenantId, sessionId]);
  return news?.sessionId === sessionId && news.tenantId === tenantId ? news : undefined;
}
