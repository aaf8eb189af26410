import { diffWordsWithSpace } from "diff";

export interface WordPiece {
  readonly text: string;
  readonly isChanged: boolean;
}

/** The work grows quadratically. Texts with more edits count as completely different. */
const MOST_EDITS = 200;

/** Of the shorter text. Below it, common words are coincidental, and texts count as completely different. */
const LEAST_SHARED = 0.3;

export function wordChanges(
  before: string,
  after: string,
): readonly [before: readonly WordPiece[], after: readonly WordPiece[]] {
  const parts = diffWordsWithSpace(before, after, { maxEditLength: MOST_EDITS });
  const shared = (parts ?? []).reduce(
    (sum, { value, added, removed }) => (added || removed ? sum : sum + value.trim().length),
    0,
  );
  if (parts === undefined || shared < LEAST_SHARED * Math.min(before.length, after.length)) {
    return [unchanged(before), unchanged(after)];
  }
  const pieces: [WordPiece[], WordPiece[]] = [[], []];
  for (const { value, added, removed } of parts) {
    const piece = { text: value, isChanged: added || removed };
    if (!added) pieces[0].push(piece);
    if (!removed) pieces[1].push(piece);
  }
  return pieces;
}

function unchanged(text: string): readonly WordPiece[] {
  return text === "" ? [] : [{ text, isChanged: true }];
}
