import { useEffect } from "react";
import { type AddressQuery, OVERVIEW_ADDRESS } from "../model/address/address.js";
import { currentRoute, goTo } from "./address-store.js";
import { engine } from "./engine.js";
import { usePreferences } from "./preferences.js";

export const MANY_SESSIONS = 50;

/** Only once, if the reader prefers it and opened the page at the unfiltered list. */
export function useOverviewFirst(): void {
  const { overviewFirst } = usePreferences();
  // biome-ignore lint/correctness/useExhaustiveDependencies: as it was preferred when the page was opened
  useEffect(() => {
    if (!overviewFirst || !isUnfilteredList()) return;
    const stop = engine.subscribe((update) => {
      if (update.topic !== "list") return;
      const { sessions, progress, complete } = update.state;
      const isMany = Math.max(sessions, progress?.total ?? 0) > MANY_SESSIONS;
      if (isMany && isUnfilteredList()) goTo(OVERVIEW_ADDRESS, true);
      if (isMany || complete || !isUnfilteredList()) stop();
    });
    return stop;
  }, []);
}

function isUnfilteredList(): boolean {
  const route = currentRoute();
  const query: AddressQuery = route.view === "unknown" ? {} : route.query;
  return route.view === "sessions" && Object.keys(query).length === 0;
}
