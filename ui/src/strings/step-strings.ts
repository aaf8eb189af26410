/** The strings of the steps of two sessions side by side. */
export const STEP_STRINGS = {
  title: "Steps",
  label: "Steps of both sessions, side by side",
  same: (n: string) => `${n} equal`,
  changed: (n: string) => `${n} changed`,
  alone: (n: string, name: string) => `${n} only in ${name}`,
  approximate:
    "Both differ too much in some places for the fewest changes to be found. There they are aligned by what occurs once in both, turn by turn, and part by part.",
  unlisted: (n: string, count: string) => `The first ${n} of ${count} divergences are listed.`,
  ignored: "Ids, times, the path of the session's folder and injected reminders do not count.",

  divergences: "Divergences",
  position: (n: string, count: string) => `${n} of ${count}`,
  count: (count: string) => (count === "1" ? "1 divergence" : `${count} divergences`),
  previous: "Previous divergence",
  next: "Next divergence",
  none: "No divergence",

  largest: "Largest differences",
  by: "Largest by",
  measures: { usd: "Cost", ms: "Time" },
  noneLarger: "No difference in it.",

  columns: { cost: "Δ cost", time: "Δ time", costSum: "Σ cost", timeSum: "Σ time" },
  columnHints: {
    cost: "Cost of B's step minus that of A's",
    time: "Time of B's step minus that of A's",
    costSum: "The same, added up to here",
    timeSum: "The same, added up to here",
  },
  fold: (n: string) => (n === "1" ? "1 equal step" : `${n} equal steps`),
  show: (fold: string) => `Show ${fold}`,
  hide: (fold: string) => `Hide ${fold}`,
  relations: { same: "equal", changed: "changed", first: "only in A", second: "only in B" },
  kinds: {
    prompt: "Prompt",
    answer: "Text",
    tool: "Tool call",
    result: "Result",
    system: "System",
    summary: "Compaction",
  },
  number: (n: string, name: string) => `Step ${n} of ${name}`,
  result: "Result",
  further: "They differ further on.",
  loading: "…",
  notThere: "–",

  keys: "n and N, or j and k, go to the next divergence and back",
} as const;
