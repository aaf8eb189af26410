export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  return { min: sorted[0]!, median: sorted[Math.floor(sorted.length / 2)]!, max: sorted[sorted.length - 1]! };
}

export interface Figure {
  readonly name: string;
  /** Empty for a count. */
  readonly unit: "ratio" | "MB" | "kB" | "ms" | "µs" | "";
  readonly spread: Spread;
  /** `must` is required, `aim` is desired; a `least` is a lower bound, a `most` an upper one. */
  readonly must?: Bound | undefined;
  readonly aim?: Bound | undefined;
}

export type Bound = { readonly most: number } | { readonly least: number };

export type Bounds = Pick<Figure, "must" | "aim">;

/** Upper bounds. */
export function within(must: number, aim?: number): Bounds {
  return { must: { most: must }, aim: aim === undefined ? undefined : { most: aim } };
}

export function figure(
  name: string,
  unit: Figure["unit"],
  values: readonly number[],
  bounds: Bounds = {},
): Figure {
  return { name, unit, spread: spreadOf(values), ...bounds };
}

export async function repeated<K extends string>(
  runs: number,
  measure: () => Promise<Record<K, number>>,
): Promise<Record<K, number[]>> {
  const measured: Record<K, number>[] = [];
  for (let run = 0; run < runs; run++) measured.push(await measure());
  const names = Object.keys(measured[0] ?? {}) as K[];
  return Object.fromEntries(names.map((name) => [name, measured.map((one) => one[name])])) as Record<
    K,
    number[]
  >;
}

export function isReached(figure: Figure, bound: Bound | undefined): boolean | undefined {
  if (bound === undefined) return undefined;
  return "most" in bound ? figure.spread.median <= bound.most : figure.spread.median >= bound.least;
}

export function figuresTable(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { min, median, max } = figure.spread;
    const verdict = isReached(figure, figure.must);
    const cells = [
      figure.name,
      `**${format(median)}** ${unitOf(figure)}`,
      `${format(min)} to ${format(max)}`,
      boundText(figure.must),
      boundText(figure.aim),
      verdict === undefined ? "" : verdict ? (isReached(figure, figure.aim) ? "aim" : "yes") : "**no**",
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return ["| Figure | Median | Range | Must | Aim | Reached |", "|---|---|---|---|---|---|", ...rows].join(
    "\n",
  );
}

function unitOf({ unit }: Figure): string {
  return unit === "ratio" ? "×" : unit;
}

function boundText(bound: Bound | undefined): string {
  if (bound === undefined) return "";
  return "most" in bound ? `≤ ${format(bound.most)}` : `≥ ${format(bound.least)}`;
}

function format(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toPrecision(2);
}
