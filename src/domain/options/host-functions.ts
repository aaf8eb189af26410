/** Functions that a host gave: what they throw, at once or later, ends nothing of the host's. */

/**
 * Calls a function of the host without waiting for it.
 *
 * @param onFailure receives the error that the function threw or rejected with. Default is to ignore it
 *
 * @example tellHost(() => options.onProgress?.(progress));
 */
export function tellHost(tell: () => unknown, onFailure: (error: unknown) => void = () => undefined): void {
  (async () => tell())().catch(onFailure);
}

/**
 * A function whose answer is needed at once. One that answers later is misunderstood: its answer is not used, and no rejection of it is
 * unhandled.
 *
 * @returns a function that throws a TypeError for a promise
 *
 * @example const now = answeringAtOnce("now", options.now ?? Date.now);
 */
export function answeringAtOnce<Given extends readonly unknown[], Answer>(
  name: string,
  ask: (...given: Given) => Answer,
): (...given: Given) => Answer {
  return (...given) => {
    const answer = ask(...given);
    if (!(answer instanceof Promise)) return answer;
    answer.catch(() => undefined);
    throw new TypeError(`\`${name}\` has to answer at once.`);
  };
}
