import { type RefObject, useEffect, useRef, useState } from "react";
import { engine } from "../../app/engine.js";
import { useRequested } from "../../app/use-answer.js";
import type { MessagesViewModel } from "../../engine/messages/message-protocol.js";
import type { AddressQuery } from "../../model/address/address.js";
import { hitKind } from "../../model/search/search.js";

/**
 * Once per address; a hit is centered.
 * @returns true if the complete conversation lacks it
 */
export function useTarget(
  { agent, call, at, hit }: AddressQuery,
  view: MessagesViewModel | undefined,
  goTo: (index: number, align: "start" | "center") => void,
): boolean {
  const done = useRef("");
  const [missing, setMissing] = useState<string>();
  const named = call ?? (at === undefined ? undefined : `${at} ${hit}`);
  const target = named === undefined ? undefined : `${agent} ${named}`;
  const locate = () => {
    if (target === undefined || view === undefined || done.current === target) return;
    return engine.call(
      "messageLocate",
      call === undefined ? { messageIndex: Number(at), kind: hitKind(hit) } : { callId: call },
    );
  };
  const show = (index: number) => {
    // The engine may be ahead of this view, which then receives a newer version.
    if (view === undefined || target === undefined || index >= view.entries) return;
    if (index === -1) return setMissing(view.loading ? undefined : target);
    done.current = target;
    setMissing(undefined);
    goTo(index, hit === undefined ? "start" : "center");
  };
  useRequested(locate, show, [target, view]);
  return missing !== undefined && missing === target;
}

/** Once the entry is drawn. Typing retains the focus, and so does a button, which may lead to the next entry. */
export function useFocusOn(scroller: RefObject<HTMLElement | null>, sought: number | undefined): void {
  const focused = useRef<number>(undefined);
  useEffect(() => {
    if (sought === undefined) focused.current = undefined;
    if (sought === undefined || focused.current === sought) return;
    const entry = scroller.current?.querySelector<HTMLElement>(`[data-index="${sought}"] article`);
    if (!entry) return;
    focused.current = sought;
    if (document.activeElement?.matches("input, textarea, select, button") !== true)
      entry.focus({ preventScroll: true });
  });
}
