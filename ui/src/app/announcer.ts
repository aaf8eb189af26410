import { useEffect, useSyncExternalStore } from "react";

export interface Announcement {
  readonly id: number;
  readonly text: string;
  /** To be seen for a while, besides being read out. */
  readonly shown: boolean;
}

/** So many are kept, because one that is taken away before it was read out is lost. */
const MOST = 3;

let announcements: readonly Announcement[] = [];
let last = 0;
const listeners = new Set<() => void>();

/** Tells what has happened: to those who listen to the page, and with `shown` to those who look at it. */
export function announce(text: string, shown = false): void {
  announcements = [...announcements, { id: ++last, text, shown }].slice(-MOST);
  for (const listener of listeners) listener();
}

export function useAnnouncements(): readonly Announcement[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => announcements,
  );
}

/** Announces a text once it is known, and whenever it is another. */
export function useAnnounced(text: string | undefined): void {
  useEffect(() => {
    if (text !== undefined) announce(text);
  }, [text]);
}
