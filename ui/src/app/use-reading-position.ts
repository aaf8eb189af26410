import type { Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { type Growth, newLines } from "../model/lists/new-lines.js";

const NEAR_END = 40;

const GESTURES = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

type Align = "start" | "center";

type ReadingPosition =
  | { readonly type: "nothing" }
  | { readonly type: "line"; readonly index: number; readonly align: Align }
  | { readonly type: "end" };

interface GrowingList {
  readonly virtual: Virtualizer<HTMLDivElement, Element>;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly growth: Growth;
  readonly atEnd: boolean;
}

/** A reader at the end stays there, and a line that the reader jumped to stays until the reader moves. Nothing else scrolls the list. */
export function useReadingPosition({ virtual, scroller, growth, atEnd }: GrowingList) {
  const position = useRef<ReadingPosition>({ type: "nothing" });
  const visited = useRef<Growth>(undefined);
  const wasNearEnd = useRef(false);
  const hasOpened = useRef(false);
  const drawnHeight = useRef(0);
  const [fresh, setFresh] = useState(0);

  const restore = () => {
    if (position.current.type === "line")
      virtual.scrollToIndex(position.current.index, { align: position.current.align });
    if (position.current.type === "end") virtual.scrollToEnd();
  };
  const keep = (place: ReadingPosition) => {
    position.current = place;
    restore();
  };
  const release = useCallback(() => {
    position.current = { type: "nothing" };
  }, []);
  const toEnd = () => {
    setFresh(0);
    keep({ type: "end" });
  };

  const height = virtual.getTotalSize();
  // Before the frame is painted, so that nobody sees the list move.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever else is drawn moves nothing
  useLayoutEffect(() => {
    const added = newLines(visited.current, growth);
    const opens = growth.complete && !hasOpened.current;
    hasOpened.current ||= opens;
    visited.current = growth;
    const { type } = position.current;
    if (opens && atEnd && type === "nothing" && (scroller.current?.scrollTop ?? 0) === 0) toEnd();
    else if (added > 0 && (type === "end" || (type === "nothing" && wasNearEnd.current))) toEnd();
    else {
      if (added > 0) setFresh((before) => before + added);
      restore();
    }
    drawnHeight.current = height;
    // Reading a height here would lay the page out once more.
    const frame = requestAnimationFrame(() => {
      wasNearEnd.current = isNearEnd(scroller.current);
    });
    return () => cancelAnimationFrame(frame);
  }, [growth.version, growth.lines, growth.complete, height]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is there once it has lines
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const scrolled = () => {
      wasNearEnd.current = isNearEnd(element);
      const { current } = position;
      if (wasNearEnd.current) {
        setFresh(0);
        // A short list is at its end without a gesture.
        if (current.type === "nothing" && element.scrollTop > 0) position.current = { type: "end" };
        return;
      }
      if (current.type === "nothing" || virtual.getTotalSize() !== drawnHeight.current) return;
      // Assistive technology and the browser's search scroll without a gesture.
      const wanted =
        current.type === "line" ? virtual.getOffsetForIndex(current.index, current.align)?.[0] : undefined;
      const away = Math.abs((wanted ?? element.scrollHeight - element.clientHeight) - element.scrollTop);
      if (away > element.clientHeight / 2) release();
    };
    for (const gesture of GESTURES) addEventListener(gesture, release, { passive: true, capture: true });
    // Before the virtualizer draws, after which reading a height would lay the page out once more.
    element.addEventListener("scroll", scrolled, { passive: true, capture: true });
    return () => {
      for (const gesture of GESTURES) removeEventListener(gesture, release, { capture: true });
      element.removeEventListener("scroll", scrolled, { capture: true });
    };
  }, [growth.lines > 0]);

  return {
    fresh,
    toEnd,
    goTo: (index: number, align: Align) => keep({ type: "line", index, align }),
    release,
  };
}

function isNearEnd(element: HTMLElement | null): boolean {
  if (element === null) return false;
  return element.scrollHeight - element.clientHeight - element.scrollTop <= NEAR_END;
}
