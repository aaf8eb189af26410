import { useEffect, useState } from "react";
import { flushSync } from "react-dom";

/** Time that the page draws before it handles input, well below a noticeable delay. */
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
 * Returns true when a component may draw its expensive content. Components take turns, so that several that become visible together do
 * not block the page. Until then each displays something simple.
 *
 * @param isCheap true if it need not wait
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
