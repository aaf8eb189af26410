import { useEffect } from "react";
import { Store, useStore } from "./store.js";

export interface Announcement {
  readonly id: number;
  readonly text: string;
  /** True if it is also displayed for a while, besides being read out. */
  readonly shown: boolean;
}

/** Number of stored announcements: one that is removed before it was read out is lost. */
const MOST = 3;

const announcements = new Store<readonly Announcement[]>([]);
let last = 0;

/** Announces an event to screen readers, and with `shown` also on the screen. */
export function announce(text: string, shown = false): void {
  announcements.set([...announcements.get(), { id: ++last, text, shown }].slice(-MOST));
}

export function useAnnouncements(): readonly Announcement[] {
  return useStore(announcements);
}

/** Announces a text when it becomes available, and whenever it changes. */
export function useAnnounced(text: string | undefined): void {
  useEffect(() => {
    if (text !== undefined) announce(text);
  }, [text]);
}
