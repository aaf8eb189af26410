import { useEffect, useState } from "react";

/**
 * Sends a request when a component is displayed, and again whenever a dependency changes. The answer to a replaced request is dropped.
 *
 * @param ask returns `undefined` if there is nothing to request
 */
export function useAsked<T>(
  ask: () => Promise<T> | undefined,
  take: (answer: T) => void,
  dependencies: readonly unknown[],
): void {
  useEffect(() => {
    let outdated = false;
    ask()?.then((answer) => {
      if (!outdated) take(answer);
    });
    return () => {
      outdated = true;
    };
    // biome-ignore lint/correctness/useExhaustiveDependencies: they are the caller's
  }, dependencies);
}

/** Returns the latest answer; `undefined` until there is an answer. */
export function useAnswer<T>(
  ask: () => Promise<T> | undefined,
  dependencies: readonly unknown[],
): T | undefined {
  const [answer, setAnswer] = useState<T>();
  useAsked(ask, setAnswer, dependencies);
  return answer;
}
