export const WHY_STRINGS = {
  title: "Why is this line here?",
  hint: "The session that wrote lines of a file, the context of its model, and the message with the deciding words.",
  file: "File",
  filePlaceholder: "src/cart/total.ts",
  line: "Line",
  toLine: "to",
  toLineLabel: "Last line",
  text: "Or its text, if the file has changed since",
  ask: "Explain",
  ofFile: "Why is it so?",
  ofFileHint: "The session that wrote each line of this file",

  loading: "Searching for the writer of these lines…",
  loadingLong: "Sessions are read for this. Many sessions take a while.",
  unread: (n: string) =>
    n === "1"
      ? "1 session is not read yet. The search continues."
      : `${n} sessions are not read yet. The search continues.`,
  undecided: (n: string) =>
    n === "1"
      ? "The edited files of 1 session are not recorded."
      : `The edited files of ${n} sessions are not recorded.`,
  coverage: (sessions: string, edits: string) =>
    `${edits} ${edits === "1" ? "edit" : "edits"} of such a file in ${sessions} ${sessions === "1" ? "session" : "sessions"}`,
  noFile: "No session edited a file of that name",
  noFileHint: "Paths are compared by their ends: name the file from the top of its project.",
  nobody: "No session wrote this",
  refused: "Invalid question",
  moreBlocks: (n: string) => `${n} further runs of lines are omitted. Select fewer lines.`,
  lines: (from: string, to: string) => (from === to ? `Line ${from}` : `Lines ${from} to ${to}`),

  wrote: "Written by",
  others: (n: number) =>
    n === 1 ? "1 other edit may have written it" : `${n} other edits may have written it`,
  step: "Show the step",
  saw: "Context",
  messages: (n: string, tokens: string) => `${n} messages, ${tokens} tokens`,
  because: "Decided by",
  nothing: "no message of its context has words of these lines",
  unknown: "The context of the model is not recorded.",
  from: {
    tool: "from a tool",
    person: "from the user",
    parent: "from the parent agent",
    model: "from the model",
    system: "from the system",
    compaction: "from a compaction",
  },
  words: "Deciding words",
  ownWords: "Words first used by the model",
  newWords: "New words",
  evidence: "Evidence",
  score: (share: string) => `${share} certain`,
  matches: {
    exact: (n: string) => `${n} unchanged`,
    moved: (n: string) => `${n} moved since`,
    reformatted: (n: string) => `${n} formatted since`,
    restored: (n: string) => `${n} removed and restored`,
  },
  paths: {
    same: "the same path",
    checkout: "the same path in another checkout",
    name: "a file of the same name",
  },
  commits: {
    between: "between its commit and the previous one",
    before: "before its commit",
  },
} as const;
