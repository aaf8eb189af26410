import { useEffect, useState } from "react";
import { liveNow } from "../model/live/live-now.js";
import { Store } from "./store.js";

const TICK_MS = 1000;

/**
 * Updates every second while something runs and the page is visible; `undefined` otherwise.
 * @returns a store, so that only the components that display the time are redrawn
 */
export function useLiveClock(runs: boolean): Store<number | undefined> {
  const [clock] = useState(() => new Store<number | undefined>(runs ? liveNow() : undefined));
  useEffect(() => {
    if (!runs) {
      clock.set(undefined);
      return;
    }
    let timer: ReturnType<typeof setInterval> | undefined;
    const tick = () => clock.set(liveNow());
    const follow = () => {
      clearInterval(timer);
      timer = undefined;
      if (document.hidden) return;
      tick();
      timer = setInterval(tick, TICK_MS);
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", follow);
    };
  }, [runs, clock]);
  return clock;
}
