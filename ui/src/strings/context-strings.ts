/** The strings about the messages of a context; loaded with Context. */
export const CONTEXT_STRINGS = {
  find: "Search what the call saw",
  found: (n: number) => (n === 1 ? "1 message" : `${n} messages`),
  provenance: "Where it came from",
  from: "From",
  sources: {
    tool: "a tool",
    person: "the user",
    parent: "the agent that asked",
    model: "the model",
    system: "the system",
    compaction: "a compaction",
  },
  file: (tool: string, path: string) => `${tool} of ${path}`,
  firstSeen: "First seen by",
  rewritten: "Rewritten for",
  dropped: "Dropped before",
  droppedBy: (compaction: boolean) => (compaction ? "by a compaction" : "not by a compaction"),
  removedBy: {
    compaction: "by a compaction",
    "micro-compaction": "by a micro-compaction, which cleared old results",
    rewind: "taken back: somebody returned to an earlier message",
  },
  again: "Asked for again",
  same: { input: "same input", file: "same file" },
  more: (n: number) => `and ${n} more times`,
  call: (n: number) => `call ${n}`,
} as const;
