import { type RefObject, useEffect, useRef, useState } from "react";

/** How wide an element is, also after the window has changed; 0 until it is there. */
export function useWidth<T extends HTMLElement>(): [RefObject<T | null>, number] {
  const element = useRef<T>(null);
  const [width, setWidth] = useState(0);
  // After each rendering, because the element may be there in some alone; the same width renders nothing anew.
  useEffect(() => {
    const { current } = element;
    if (current === null) return;
    const watch = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    watch.observe(current);
    return () => watch.disconnect();
  });
  return [element, width];
}
