/** Number of answers without progress after which the available data is final: a file that grows faster than it is read. */
const PATIENCE = 30;

/**
 * Repeats the request until everything has been read: each answer makes progress.
 *
 * @param unreadOf returns the number of remaining sessions; `undefined` if the answer is complete
 */
export async function untilRead<Answer>(
  ask: () => Promise<Answer>,
  unreadOf: (answer: Answer) => number | undefined,
  signal: AbortSignal,
): Promise<Answer> {
  let least = Number.POSITIVE_INFINITY;
  for (let inVain = 0; ; inVain++) {
    const answer = await ask();
    const unread = unreadOf(answer);
    if (unread === undefined || inVain === PATIENCE) return answer;
    signal.throwIfAborted();
    if (unread < least) inVain = 0;
    least = Math.min(least, unread);
  }
}
