import type { MatchedPath, PathMatch } from "./file-paths.js";
import type { AuthoredLine } from "./line-authors.js";
import type { LineCommit, LineEvidence } from "./line-explanation.js";
import { LEAST_SCORE } from "./line-explanation.js";
import { LEAST_WEIGHT, lineWeight } from "./line-keys.js";
import type { LineMatch } from "./line-owners.js";
import type { RecordedEdit } from "./recorded-edits.js";

/** One copy of a file: its edits in the order of time, and the author of each requested line. */
export interface ClaimedCopy<Edit extends Pick<RecordedEdit, "at">> {
  readonly match: MatchedPath["match"];
  readonly edits: readonly Edit[];
  readonly lines: readonly AuthoredLine[];
}

export interface LineClaim<Edit> {
  readonly edit: Edit;
  readonly score: number;
  readonly match: LineMatch;
  readonly path: PathMatch;
  readonly commit: LineEvidence["commit"];
  readonly isAlternative: boolean;
}

/** `at` and the earlier commit of the file are milliseconds since the epoch. */
export interface CommitOfLine {
  readonly commit: LineCommit;
  readonly at: number;
  readonly previousAt: number | undefined;
}

const OF_MATCH: { readonly [match in LineMatch]: number } = {
  exact: 1,
  moved: 0.9,
  reformatted: 0.85,
  restored: 0.7,
};
const OF_PATH: { readonly [match in PathMatch]: number } = { same: 1, checkout: 0.95, name: 0.6 };
const OF_COMMIT = { between: 1, before: 0.95 };
const OF_ALTERNATIVE = 0.5;

/** Tolerance for the clocks of edit and commit, in milliseconds. */
const SLACK_MS = 120_000;

const SAME_NAME = { weight: 60, lines: 3 };

/**
 * Possible authors of each line, most likely first.
 * @param commits the repository's facts about each line, if they were requested
 */
export function lineClaims<Edit extends Pick<RecordedEdit, "at">>(
  copies: readonly ClaimedCopy<Edit>[],
  commits: readonly (CommitOfLine | undefined)[],
  count: number,
): readonly (readonly LineClaim<Edit>[])[] {
  const claims = Array.from({ length: count }, (): LineClaim<Edit>[] => []);
  for (const { match: path, edits, lines } of copies) {
    const isEnough = path === "name" ? heavyRuns(lines) : undefined;
    for (const [i, { by, others, match }] of lines.entries()) {
      if (by === -1 || isEnough?.[i] === false) continue;
      const claim = (place: number, how: LineMatch, isAlternative: boolean) => {
        const edit = edits[place]!;
        const commit = commits[i];
        if (commit !== undefined && edit.at > commit.at + SLACK_MS) return;
        const lies =
          commit && (edit.at > (commit.previousAt ?? Number.NEGATIVE_INFINITY) ? "between" : "before");
        const score =
          OF_MATCH[how] *
          OF_PATH[path] *
          (lies === undefined ? 1 : OF_COMMIT[lies]) *
          (isAlternative ? OF_ALTERNATIVE : 1);
        if (score >= LEAST_SCORE)
          claims[i]!.push({ edit, score, match: how, path, commit: lies, isAlternative });
      };
      claim(by, match, false);
      for (const other of others) claim(other, "exact", true);
    }
  }
  for (const one of claims) one.sort((a, b) => b.score - a.score || a.edit.at - b.edit.at);
  return claims.map((one) => (one[0]?.isAlternative === false ? one : []));
}

function heavyRuns(lines: readonly AuthoredLine[]): boolean[] {
  const isEnough = lines.map(() => false);
  for (let from = 0; from < lines.length; from++) {
    let [to, weight, textWeight] = [from, 0, 0];
    for (; to < lines.length && lines[to]!.by !== -1 && lines[to]!.match !== "restored"; to++) {
      const one = lineWeight(lines[to]!.text);
      weight += one;
      if (one >= LEAST_WEIGHT) textWeight++;
    }
    if (weight >= SAME_NAME.weight && textWeight >= SAME_NAME.lines) isEnough.fill(true, from, to);
    from = Math.max(from, to);
  }
  return isEnough;
}
