import { useEffect, useState } from "react";

/**
 * Asks when a component is shown, and again whenever a dependency changes. The answer to a question that another one has replaced
 * is dropped.
 *
 * @param ask gives `undefined` where there is nothing to ask
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

/** What was answered last; `undefined` until there is an answer. */
export function useAnswer<T>(
  ask: () => Promise<T> | undefined,
  dependencies: readonly unknown[],
): T | undefined {
  const [answer, setAnswer] = useState<T>();
  useAsked(ask, setAnswer, dependencies);
  return answer;
}
