import { useEffect, useState } from "react";
import { flushSync } from "react-dom";

/** Drawing time between inputs, well below a noticeable delay. */
const SLICE_MS = 8;

const waiting = new Set<() => void>();
let isPlanned = false;

function plan(): void {
  if (isPlanned || waiting.size === 0) return;
  isPlanned = true;
  setTimeout(() => {
    isPlanned = false;
    const until = performance.now() + SLICE_MS;
    for (const draw of waiting) {
      waiting.delete(draw);
      draw();
      if (performance.now() > until) break;
    }
    plan();
  });
}

/**
 * Components take turns with expensive content, so that several together do not block the page. Until then each displays something
 * simple.
 * @param isCheap need not wait
 */
export function useTurn(isCheap: boolean): boolean {
  const [isOurs, setOurs] = useState(isCheap);
  useEffect(() => {
    if (isOurs) return;
    const draw = () => flushSync(() => setOurs(true));
    waiting.add(draw);
    plan();
    return () => {
      waiting.delete(draw);
    };
  }, [isOurs]);
  return isOurs;
}
