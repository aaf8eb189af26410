import { useEffect } from "react";
import { Store, useStore } from "./store.js";

export interface Announcement {
  readonly id: number;
  readonly text: string;
  readonly isVisible: boolean;
}

/** An announcement that is removed before it was read out is lost. */
const MOST = 3;

const announcements = new Store<readonly Announcement[]>([]);
let last = 0;

export function announce(text: string, isVisible = false): void {
  announcements.set([...announcements.get(), { id: ++last, text, isVisible }].slice(-MOST));
}

export function useAnnouncements(): readonly Announcement[] {
  return useStore(announcements);
}

export function useAnnounced(text: string | undefined): void {
  useEffect(() => {
    if (text !== undefined) announce(text);
  }, [text]);
}
