import { type RefObject, useEffect } from "react";
import { matchPattern } from "../model/search/search.js";

const NAME = "search";

/** More marks than a screen holds only cost time. */
const MOST_MARKS = 2000;

/**
 * Marks matches in any text of an element. The page does not change: the browser paints ranges of text, if it can.
 * @param q as typed
 * @param hit a new hit is scrolled to, within the element with the details
 */
export function useMatchMarks(ref: RefObject<HTMLElement | null>, q: string, hit: string | undefined): void {
  useEffect(() => {
    const element = ref.current;
    const pattern = matchPattern(q);
    if (element === null || pattern === undefined || !("highlights" in CSS)) return;
    let frame = 0;
    let isVisible = hit === undefined;
    const paint = () => {
      frame = 0;
      const ranges = matchRanges(element, pattern);
      CSS.highlights.set(NAME, new Highlight(...ranges));
      if (isVisible) return;
      for (const range of ranges) {
        const details = range.startContainer.parentElement?.closest("[data-details]");
        if (!details) continue;
        isVisible = true;
        return scrollTo(range, details);
      }
    };
    const plan = () => {
      frame ||= requestAnimationFrame(paint);
    };
    const changes = new MutationObserver(plan);
    changes.observe(element, { subtree: true, childList: true, characterData: true });
    plan();
    return () => {
      changes.disconnect();
      cancelAnimationFrame(frame);
      CSS.highlights.delete(NAME);
    };
  }, [ref, q, hit]);
}

function matchRanges(element: HTMLElement, pattern: RegExp): Range[] {
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null && ranges.length < MOST_MARKS; node = texts.nextNode()) {
    for (const { index, 0: match } of node.nodeValue!.matchAll(pattern)) {
      const range = new Range();
      range.setStart(node, index);
      range.setEnd(node, index + match.length);
      if (ranges.push(range) === MOST_MARKS) break;
    }
  }
  return ranges;
}

/** Scrolls the ancestors of a range up to the details, to center it. */
function scrollTo(range: Range, details: Element): void {
  for (let at = range.startContainer.parentElement; at !== null; at = at.parentElement) {
    if (at.scrollHeight > at.clientHeight) {
      const box = at.getBoundingClientRect();
      const { top, bottom } = range.getBoundingClientRect();
      if (top < box.top || bottom > box.bottom) at.scrollTop += top - box.top - at.clientHeight / 2;
    }
    if (at === details) return;
  }
}
