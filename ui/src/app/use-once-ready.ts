import { useEffect, useRef, useState } from "react";

/**
 * An action that needs what may not be there yet: done at once where it is, else as soon as it is. What is pressed meanwhile is done in
 * its order, each from the result of the one before.
 *
 * @param isReady whether what it needs is there
 * @param act is called as it was given last
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
