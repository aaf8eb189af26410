import { useEffect, useState } from "react";
import type { SearchName, SearchState } from "../engine/search/search-protocol.js";
import type { HitRef } from "../engine/search/search-store.js";
import type { Route } from "../model/address/address.js";
import { type PageSearch, searchRequest } from "../model/search/search.js";
import { engine } from "./engine.js";
import { Store, useStore } from "./store.js";
import { useAnswer } from "./use-answer.js";

const TYPING_MS = 200;

const states: { readonly [name in SearchName]: Store<SearchState | undefined> } = {
  sessions: new Store(undefined),
  address: new Store(undefined),
  commands: new Store(undefined),
};

engine.subscribe((update) => {
  if (update.topic === "search") states[update.name].set(update.state);
});

/** Waits for a pause in typing; `undefined` ends a search at once. */
export function useSearchRequest(name: SearchName, request: PageSearch | undefined): void {
  const key = request === undefined ? undefined : JSON.stringify(request);
  const settled = useSettled(key);
  useEffect(() => {
    void engine.call("search", name, settled === undefined ? undefined : JSON.parse(settled));
  }, [name, settled]);
}

/** The search of all sessions continues while one of them is open. */
export function useSearchOfAddress(route: Route): void {
  const request = searchRequest(route);
  const [ofSessions, setOfSessions] = useState(request);
  const isOfSessions = route.view === "sessions";
  const wanted = isOfSessions ? request : ofSessions;
  if (JSON.stringify(wanted) !== JSON.stringify(ofSessions)) setOfSessions(wanted);
  const isRetained = isOfSessions || ofSessions?.sessionId === "";
  useSearchRequest("sessions", isRetained ? wanted : undefined);
  useSearchRequest("address", isOfSessions ? undefined : request);
}

/** `undefined` until it has begun with the current request. */
export function useSearch(name: SearchName, request: PageSearch | undefined): SearchState | undefined {
  const state = useStore(states[name]);
  const isCurrent = JSON.stringify(state?.request) === JSON.stringify(request);
  return isCurrent ? state : undefined;
}

/**
 * Waits for the first hit, or for the end of the search.
 * @param isLeft true if nobody waits any more
 */
export function whenResult(name: SearchName, request: PageSearch, isLeft: () => boolean): Promise<void> {
  const key = JSON.stringify(request);
  return new Promise((resolve) => {
    const look = () => {
      const state = states[name].get();
      const isOther = state === undefined || JSON.stringify(state.request) !== key;
      if (!isLeft() && (isOther || (state.hits === 0 && state.status === "running"))) return;
      stop();
      resolve();
    };
    const stop = states[name].subscribe(look);
    look();
  });
}

/** From 1, among all hits of the search; 0 without such a hit. */
export function useOrdinal({ tenantId, sessionId, key }: HitRef, state: SearchState | undefined): number {
  const of = JSON.stringify(state?.request);
  const answer = useAnswer(
    async () => ({ of, ordinal: await engine.call("searchOrdinal", { tenantId, sessionId, key }) }),
    [tenantId, sessionId, key, of, state?.version],
  );
  return answer !== undefined && answer.of === of ? answer.ordinal : 0;
}

/** The first value and `undefined` count at once. */
export function useSettled<T>(value: T | undefined): T | undefined {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), value === undefined ? 0 : TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
