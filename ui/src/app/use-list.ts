import { startTransition, useEffect, useState } from "react";
import type { ListNews } from "../engine/list-desk.js";
import type { ListQuery } from "../engine/list-query.js";
import { engine } from "./engine.js";

const REFRESH_MS = 4000;

/** The session list as the engine holds it, kept fresh while the page is looked at. */
export function useList(query: ListQuery): ListNews | undefined {
  const [news, setNews] = useState<ListNews>();
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
export function every(periodMs: number, act: () => Promise<unknown> | undefined): () => void {
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
