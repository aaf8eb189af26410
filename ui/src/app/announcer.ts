import { useEffect } from "react";
import { Store, useStore } from "./store.js";

export interface Announcement {
  readonly id: number;
  readonly text: string;
  /** To be seen for a while, besides being read out. */
  readonly shown: boolean;
}

/** So many are kept, because one that is taken away before it was read out is lost. */
const MOST = 3;

const announcements = new Store<readonly Announcement[]>([]);
let last = 0;

/** Tells what has happened: to those who listen to the page, and with `shown` to those who look at it. */
export function announce(text: string, shown = false): void {
  announcements.set([...announcements.get(), { id: ++last, text, shown }].slice(-MOST));
}

export function useAnnouncements(): readonly Announcement[] {
  return useStore(announcements);
}

/** Announces a text once it is known, and whenever it is another. */
export function useAnnounced(text: string | undefined): void {
  useEffect(() => {
    if (text !== undefined) announce(text);
  }, [text]);
}
