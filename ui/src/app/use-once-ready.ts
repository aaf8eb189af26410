import { useEffect, useRef, useState } from "react";

/**
 * Runs at once if the data is ready, else as soon as it is. Calls in the meantime run in order.
 * @param act the latest function is called
 */
export function useOnceReady<Args extends readonly unknown[]>(
  isReady: boolean,
  act: (...args: Args) => void,
): (...args: Args) => void {
  const [due, setDue] = useState<readonly Args[]>([]);
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const [first, ...rest] = due;
    if (!isReady || first === undefined) return;
    setDue(rest);
    latest.current(...first);
  }, [isReady, due]);
  return (...args) => {
    if (isReady && due.length === 0) latest.current(...args);
    else setDue((before) => [...before, args]);
  };
}
