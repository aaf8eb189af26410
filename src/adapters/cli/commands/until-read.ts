/** Answers without progress until the data counts as final: a file may grow faster than the reading. */
const PATIENCE = 30;

/**
 * Repeats the request, because each answer makes progress.
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
