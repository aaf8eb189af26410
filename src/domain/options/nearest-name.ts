const MOST_DIFFERENCES = 3;
/** Share of the longer name that must be equal. */
const LEAST_ALIKE = 0.4;

export function nearestName(written: string, names: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let least = MOST_DIFFERENCES + 1;
  for (const name of names) {
    const longer = Math.max(written.length, name.length);
    // A cheap lower bound: long texts are not compared.
    if (longer - Math.min(written.length, name.length) >= least) continue;
    const differences = differencesOf(written.toLowerCase(), name.toLowerCase());
    if (differences >= least || differences >= longer * (1 - LEAST_ALIKE)) continue;
    nearest = name;
    least = differences;
  }
  return nearest;
}

/** Damerau-Levenshtein distance (optimal string alignment). */
function differencesOf(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, j) => j);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      row[j] = Math.min(
        last[j]! + 1,
        row[j - 1]! + 1,
        last[j - 1]! + (isSame ? 0 : 1),
        isSwapped ? beforeLast[j - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = row;
  }
  return last[to.length]!;
}
