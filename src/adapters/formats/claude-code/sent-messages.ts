export interface ReportedMessage {
  readonly index: number;
  readonly answer: number | undefined;
}

export interface SentPlace {
  readonly index: number;
  readonly role: string;
}

interface SentGroup {
  readonly answer: number | undefined;
  readonly indexes: number[];
}

/**
 * Maps a request to recorded messages and to the messages of the conversation that the others are built from. Answers and the messages
 * between them alternate; system messages may be at any position.
 * @returns `undefined` if the two do not match
 */
export function messagesSent(
  request: readonly number[],
  sent: ReadonlyMap<number, SentPlace>,
  spoken: readonly ReportedMessage[],
): number[] | undefined {
  const groups = groupsOf(spoken);
  const indexes: number[] = [];
  let at = -1;
  let isAnswer = true;
  let isBuilt = true;
  for (const hash of request) {
    const place: SentPlace | undefined = sent.get(hash);
    if (place?.role === "system") {
      indexes.push(place.index);
      continue;
    }
    const isNextAnswer: boolean = place === undefined ? !isAnswer : place.role === "assistant";
    // Several messages may stand between two answers, but only where all of them are recorded.
    if (isNextAnswer === isAnswer && (isAnswer || isBuilt)) return undefined;
    if (isNextAnswer !== isAnswer) at++;
    const group = groups[at];
    if (group === undefined || (group.answer !== undefined) !== isNextAnswer) return undefined;
    isAnswer = isNextAnswer;
    isBuilt = place === undefined;
    for (const index of place === undefined ? group.indexes : [place.index]) indexes.push(index);
  }
  return !isAnswer && at === groups.length - 1 ? indexes : undefined;
}

/** Results of tools may lie between the lines of the answer that called them. */
function groupsOf(spoken: readonly ReportedMessage[]): readonly SentGroup[] {
  const groups: SentGroup[] = [];
  let answer: SentGroup | undefined;
  let between: SentGroup | undefined;
  for (const one of spoken) {
    const isLine = one.answer !== undefined;
    const answerBefore = isLine && answer?.answer !== one.answer ? undefined : isLine ? answer : between;
    const group = answerBefore ?? { answer: one.answer, indexes: [] };
    group.indexes.push(one.index);
    if (answerBefore !== undefined) continue;
    groups.push(group);
    if (isLine) answer = group;
    between = isLine ? undefined : group;
  }
  return groups;
}
