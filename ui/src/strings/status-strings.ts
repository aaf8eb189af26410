export const STATUS_STRINGS = {
  for: (time: string) => `for ${time}`,
  times: (n: number) => `×${n}`,
  since: (at: string) => `Since ${at}`,
  tool: (name: string) => `Tool: ${name}`,
  question: (question: string) => `Question: ${question}`,
  looped: (n: number) => `${n} identical calls in a row, each with the same result`,
  longest: (time: string) => `Longest similar call before: ${time}`,
  show: "Show in trace",
} as const;
