import { useEffect, useState } from "react";

/**
 * Also sends again when a dependency changes, and drops the answer to the replaced request.
 * @param ask returns `undefined` to request nothing
 */
export function useRequested<T>(
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

/** `undefined` until there is an answer. */
export function useAnswer<T>(
  ask: () => Promise<T> | undefined,
  dependencies: readonly unknown[],
): T | undefined {
  const [answer, setAnswer] = useState<T>();
  useRequested(ask, setAnswer, dependencies);
  return answer;
}
