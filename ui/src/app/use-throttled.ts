import { useLayoutEffect, useRef, useState } from "react";

/** A value that follows another, at most once a period; its last change is never lost. Equal keys are equal values. */
export function useThrottled<T>(value: T, key: string, periodMs: number): T {
  const [shown, setShown] = useState({ value, key });
  const latest = useRef({ value, key });
  latest.current = { value, key };
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Before the first paint, so that what is drawn first does not move.
  useLayoutEffect(() => {
    if (key === shown.key || timer.current !== undefined) return;
    setShown(latest.current);
    timer.current = setTimeout(() => {
      timer.current = undefined;
      setShown(latest.current);
    }, periodMs);
  }, [key, shown.key, periodMs]);
  useLayoutEffect(() => () => clearTimeout(timer.current), []);
  return shown.value;
}
