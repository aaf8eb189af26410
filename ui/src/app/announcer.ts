import { useEffect, useSyncExternalStore } from "react";

export interface Announcement {
  readonly text: string;
  /** Shown for a while, besides being read out. */
  readonly shown: boolean;
}

let announcement: Announcement = { text: "", shown: false };
const listeners = new Set<() => void>();

/** Tells what has happened: to those who listen to the page, and with `shown` to those who look at it. */
export function announce(text: string, shown = false): void {
  announcement = { text, shown };
  for (const listener of listeners) listener();
}

export function useAnnouncement(): Announcement {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => announcement,
  );
}

/** Announces a text once it is known, and whenever it is another. */
export function useAnnounced(text: string | undefined): void {
  useEffect(() => {
    if (text !== undefined) announce(text);
  }, [text]);
}
