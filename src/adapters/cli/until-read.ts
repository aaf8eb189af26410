/** After so many answers that got on by no session, what is known is all that there will be: a file that grows faster than it is read. */
const PATIENCE = 30;

/**
 * Asks until everything has been read: each answer gets on.
 *
 * @param unreadOf how many sessions are left; `undefined` where the answer is whole
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
