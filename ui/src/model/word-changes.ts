import { diffWordsWithSpace } from "diff";

/** A piece of a text, and whether the other text has it, too. */
export interface WordPiece {
  readonly text: string;
  readonly isChanged: boolean;
}

/** The work grows quadratically. Texts with more edits count as completely different. */
const MOST_EDITS = 200;

/** Minimum common share of the shorter text. Below it, texts count as completely different: their common words are coincidental. */
const LEAST_SHARED = 0.3;

/** Two texts word by word: what each has alone, and what both have. */
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
    return [whole(before), whole(after)];
  }
  const pieces: [WordPiece[], WordPiece[]] = [[], []];
  for (const { value, added, removed } of parts) {
    const piece = { text: value, isChanged: added || removed };
    if (!added) pieces[0].push(piece);
    if (!removed) pieces[1].push(piece);
  }
  return pieces;
}

function whole(text: string): readonly WordPiece[] {
  return text === "" ? [] : [{ text, isChanged: true }];
}
