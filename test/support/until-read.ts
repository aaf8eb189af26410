/** Repeats until nothing is unread: each answer makes progress. */
export async function untilRead<Answer>(
  ask: () => Promise<Answer>,
  unreadOf: (answer: Answer) => number,
): Promise<Answer> {
  for (let asked = 0; ; asked++) {
    const answer = await ask();
    if (unreadOf(answer) === 0 || asked === 100) return answer;
  }
}
