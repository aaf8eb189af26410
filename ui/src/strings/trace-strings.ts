export const TRACE_STRINGS = {
  repeats: (n: number) => `${n} times`,
  repeatsHint: (n: number) => `The same call ${n} times in a row. The duration is the sum of the calls.`,
  within: "Belongs to",
  soFar: "so far",
  cost: "Cost",
  costHint: "What the model calls of the step cost. ≥: partly priced, or undercounted.",
} as const;
