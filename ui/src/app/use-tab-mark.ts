import { useEffect } from "react";
import type { LiveKind, LiveState } from "../model/live-state.js";
import { Store, useStore } from "./store.js";

/** State of the open session in the browser's tab; `undefined` if that state needs no attention. */
const mark = new Store<LiveKind | undefined>(undefined);

/** Kinds that are news to somebody who looks at another tab. */
const TOLD: ReadonlySet<LiveKind> = new Set(["running", "waiting", "stalled", "looping", "failed"]);

/** The dot on the icon, in the colours of a warning and of an error on a light ground and on a dark one. */
const DOTS: { readonly [kind in LiveKind]?: string } = { waiting: "%23e08a00", failed: "%23d93025" };

/** Marks the tab of the browser with the state of a session, while the session is visible. */
export function useTabMark(live: LiveState | undefined): void {
  const kind = live?.kind;
  useEffect(() => {
    mark.set(kind !== undefined && TOLD.has(kind) ? kind : undefined);
    showDot(kind && DOTS[kind]);
    return () => {
      mark.set(undefined);
      showDot(undefined);
    };
  }, [kind]);
}

/** The state of the session that is open, where the title of the page begins with it. */
export function useTabMarked(): LiveKind | undefined {
  return useStore(mark);
}

let plainIcon: string | undefined;

/** Puts a dot on the page's icon, which is a drawing in its own address. */
function showDot(colour: string | undefined): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon === null) return;
  plainIcon ??= icon.getAttribute("href") ?? "";
  const dot = `<circle cx='24' cy='8' r='8' fill='${colour}' stroke='white' stroke-width='2'/></svg>`;
  icon.setAttribute("href", colour === undefined ? plainIcon : plainIcon.replace("</svg>", dot));
}
