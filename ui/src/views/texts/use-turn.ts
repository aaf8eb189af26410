import { useEffect, useState } from "react";
import { flushSync } from "react-dom";

/** How long the page draws before it looks at what its reader does, well below what one notices. */
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
 * Whether it is a component's turn to draw what takes long. Components take turns, so that several of them that come into
 * view together do not hold up the page; until then each shows something simple.
 *
 * @param isCheap it need not wait
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
