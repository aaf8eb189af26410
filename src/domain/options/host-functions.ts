/** Calls of a host's functions: their errors never reach the host's other code. */

/**
 * Does not wait for the function.
 * @param onFailure receives its error or rejection. Default is to ignore it
 * @example tellHost(() => options.onProgress?.(progress));
 */
export function tellHost(tell: () => unknown, onFailure: (error: unknown) => void = () => undefined): void {
  (async () => tell())().catch(onFailure);
}

/**
 * Wraps a function that must be synchronous. The rejection of an unwanted promise is handled.
 * @returns a function that throws a TypeError for a promise
 * @example const now = answeringAtOnce("now", options.now ?? Date.now);
 */
export function answeringAtOnce<Args extends readonly unknown[], Answer>(
  name: string,
  ask: (...args: Args) => Answer,
): (...args: Args) => Answer {
  return (...args) => {
    const answer = ask(...args);
    if (!(answer instanceof Promise)) return answer;
    answer.catch(() => undefined);
    throw new TypeError(`\`${name}\` has to answer at once.`);
  };
}
