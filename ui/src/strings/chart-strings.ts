export const CHART_STRINGS = {
  context: (tokens: string) => `${tokens} context`,
  window: (tokens: string) => `${tokens} window`,
  windowAbove: (tokens: string) => `↑ ${tokens} window`,
  ofWindow: (share: string, window: string) => `${share} of the ${window} window`,
  tokens: (tokens: string) => `${tokens} tokens`,
  result: (tool: string, subject: string, tokens: string) =>
    subject === "" ? `${tool} ${tokens}` : `${tool} ${subject} ${tokens}`,
  others: (results: number, tokens: string) =>
    results === 1 ? `1 other result ${tokens}` : `${results} other results ${tokens}`,
  causes: { compaction: "Compaction", turn: "New prompt" },
  miss: (why: string, tokens: string) => `${why}: ${tokens} tokens re-sent uncached`,
  idle: (idle: string, lifetime: string) => `Cache expired (idle ${idle}, TTL ${lifetime})`,
  misses: {
    compacted: "Cache miss after a compaction",
    model: "Cache miss: another model",
    tools: "Cache miss: other system prompt or tools",
    rewritten: "Cache miss: the context was rewritten",
    unknown: "Cache miss",
  },
  after: (time: string) => `after ${time}`,
  call: (n: number) => `Call ${n}`,
} as const;
