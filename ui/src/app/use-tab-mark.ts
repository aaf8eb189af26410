import { useEffect } from "react";
import type { LiveKind } from "../../../src/domain/session/session.js";
import { Store, useStore } from "./store.js";

/** `undefined` if the state needs no attention. */
const mark = new Store<LiveKind | undefined>(undefined);

const MARKED: ReadonlySet<LiveKind> = new Set(["running", "waiting", "stalled", "looping", "failed"]);

const DOTS: { readonly [kind in LiveKind]?: string } = { waiting: "%23e08a00", failed: "%23d93025" };

export function useTabMark(kind: LiveKind | undefined): void {
  useEffect(() => {
    mark.set(kind !== undefined && MARKED.has(kind) ? kind : undefined);
    showDot(kind && DOTS[kind]);
    return () => {
      mark.set(undefined);
      showDot(undefined);
    };
  }, [kind]);
}

export function useTabMarked(): LiveKind | undefined {
  return useStore(mark);
}

let plainIcon: string | undefined;

function showDot(colour: string | undefined): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon === null) return;
  plainIcon ??= icon.getAttribute("href") ?? "";
  const dot = `<circle cx='24' cy='8' r='8' fill='${colour}' stroke='white' stroke-width='2'/></svg>`;
  icon.setAttribute("href", colour === undefined ? plainIcon : plainIcon.replace("</svg>", dot));
}
