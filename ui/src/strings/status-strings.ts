/** The strings about what a session is about at this moment. */
export const STATUS_STRINGS = {
  kinds: {
    running: "Running",
    waiting: "Waiting for you",
    stalled: "Stalled",
    looping: "Looping",
    failed: "Failed",
    done: "Done",
    unknown: "No end recorded",
  },
  for: (time: string) => `for ${time}`,
  times: (n: number) => `×${n}`,
  since: (at: string) => `Since ${at}`,
  tool: (name: string) => `Tool: ${name}`,
  asked: (question: string) => `Asked: ${question}`,
  looped: (n: number) => `${n} identical calls in a row, each with the same result`,
  longest: (time: string) => `Longest call of this tool so far: ${time}`,
  show: "Show in trace",
} as const;
