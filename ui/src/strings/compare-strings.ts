/** The strings of the view of two sessions side by side. */
export const COMPARE_STRINGS = {
  title: "Two sessions side by side",
  loading: "Comparing…",
  loadingLong: "Both sessions are read whole, which takes a while where they are long.",
  names: ["A", "B"] as const,
  swap: "Swap",
  chooseOther: "Choose another",

  choice: {
    title: "Compare with another session",
    search: "Search sessions by title, id or user",
    list: "Sessions to compare with",
    alike: { prompt: "asked the same", project: "same project" },
    none: "No session matches.",
    loading: "Loading sessions…",
  },

  difference: {
    title: "First divergence",
    none: "Both conversations say the same",
    noneHint:
      "Ids, times, the paths of the sessions' folders, injected reminders and the shapes of vendors do not count, nor does what was thought.",
    kinds: {
      argument: "A tool is called with something else",
      result: "A tool gives something else back",
      message: "Different message",
      order: "The same is said in another order",
      end: "One ends, and the other goes on",
    },
    at: (parts: string) => (parts === "1" ? "After 1 equal step" : `After ${parts} equal steps`),
    ended: "It has ended here.",
    parts: {
      text: "Text",
      thinking: "Thought",
      call: "Call",
      result: "Result",
      image: "Image",
      other: "Other",
    },
    inMessages: "Show in messages",
    inTrace: "Show in trace",
    cut: (before: string, behind: string) =>
      `${before} characters before it and ${behind} behind are left out.`,
    diff: "Lines of A are taken away, and lines of B put in",
    after: "From there on",
    unknownAfter: "It is not known when that was.",
  },

  facts: {
    title: "Metrics",
    name: "Metric",
    duration: "Duration",
    turns: "Turns",
    modelCalls: "Model calls",
    failedModelCalls: "Failed model calls",
    toolCalls: "Tool calls",
    failedToolCalls: "Failed tool calls",
    agents: "Sub-agents",
    compactions: "Compactions",
    tokens: "Tokens",
    output: "Output tokens",
    cacheRead: "Tokens from cache",
    cost: "Cost",
    models: "Models",
  },

  tools: { title: "Tools", name: "Tool", failed: (n: string) => `${n} failed` },
  files: { title: "Files", name: "File" },
  more: (n: string) => `Show ${n} more`,

  curves: {
    title: "Context at each model call",
    axis: "Axis",
    byTime: "By time",
    byCall: "By call",
    peak: (name: string, tokens: string, calls: string) => `${name}: up to ${tokens} tokens, ${calls} calls`,
    none: "No model call of either tells what it read.",
    mark: "Dotted lines: the first divergence",
  },
} as const;
