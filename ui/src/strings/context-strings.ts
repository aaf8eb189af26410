/** The strings about the messages of a context; loaded with Context. */
export const CONTEXT_STRINGS = {
  nextCompaction: "Go to the call after the next compaction",
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
    request: "the request as it was sent holds another message in its place, or none",
  },
  again: "Asked for again",
  same: { input: "same input", file: "same file" },
  more: (n: number) => `and ${n} more times`,
  call: (n: number) => `call ${n}`,
  head: {
    title: "System prompt and tools",
    system: "System prompt",
    tools: (names: readonly string[]) =>
      names.length === 0 ? "Tools" : `Tools (${names.length}): ${names.join(", ")}`,
    notRecorded:
      "The text is not recorded. The size is inferred: what the first call read beside its messages.",
    beginning: "The beginning of it is shown.",
  },
  droppedList: {
    title: "Dropped messages, largest first",
    sum: (messages: number, tokens: string) =>
      messages === 1 ? `1 message, ≈${tokens} dropped` : `${messages} messages, ≈${tokens} dropped`,
    again: (calls: number, tokens: string) => `${calls} read again, ≈${tokens}`,
    cleared: "cleared",
    sameAgain: { file: "read again", input: "called again" },
    inTrace: "in the trace",
    more: (n: number) => (n === 1 ? "1 more message" : `${n} more messages`),
  },
  callByCall: "Call by call",
  callByCallHint: "Compares with the call before again (Escape)",
  compared: (call: number, base: number) => `Call ${call} compared with call ${base}`,
  brushHint: "Drag over the bars, or Shift and an arrow key, to compare two calls.",
} as const;
