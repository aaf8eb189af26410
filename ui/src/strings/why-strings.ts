export const WHY_STRINGS = {
  title: "Why is this line here?",
  hint: "Which session wrote lines of a file, what its model saw then, and which message put the deciding words there.",
  file: "File",
  filePlaceholder: "src/cart/total.ts",
  line: "Line",
  toLine: "to",
  toLineLabel: "Last line",
  text: "Or its text, where the file has changed since",
  ask: "Explain",
  ofFile: "Why is it so?",
  ofFileHint: "Which session wrote each line of this file",

  loading: "Looking for who wrote these lines…",
  loadingLong: "Sessions are read for it, which takes a while where there are many.",
  unread: (n: string) =>
    n === "1" ? "1 session is not read yet; looking on." : `${n} sessions are not read yet; looking on.`,
  undecided: (n: string) =>
    n === "1"
      ? "Of 1 session it is not known which files it edited."
      : `Of ${n} sessions it is not known which files they edited.`,
  coverage: (sessions: string, edits: string) =>
    `${edits} ${edits === "1" ? "edit" : "edits"} of such a file in ${sessions} ${sessions === "1" ? "session" : "sessions"}`,
  noFile: "No session edited a file of that name",
  noFileHint: "Paths are compared by their ends: name the file from the top of its project.",
  nobody: "No session wrote this",
  refused: "This cannot be asked",
  moreBlocks: (n: string) => `${n} further runs of lines are not shown. Name the lines that are meant.`,
  lines: (from: string, to: string) => (from === to ? `Line ${from}` : `Lines ${from} to ${to}`),

  wrote: "Written by",
  others: (n: number) =>
    n === 1 ? "1 other edit may have written it" : `${n} other edits may have written it`,
  step: "Show the step",
  saw: "What the model saw",
  messages: (n: string, tokens: string, isCounted: boolean) =>
    `${n} messages, ${isCounted ? "" : "≈"}${tokens} tokens`,
  because: "Decided by",
  nothing: "nothing that it saw has words of these lines",
  unknown: "It is not known what the model saw.",
  from: {
    tool: "from a tool",
    person: "from the user",
    parent: "from the agent that asked",
    model: "from the model",
    system: "from the system",
    compaction: "from a compaction",
  },
  words: "Deciding words",
  ownWords: "Words that the model said first",
  newWords: "Words that were nowhere before",
  evidence: "Evidence",
  score: (percent: string) => `${percent} % certain`,
  matches: {
    exact: (n: string) => `${n} as it wrote ${n === "1" ? "it" : "them"}`,
    moved: (n: string) => `${n} moved since`,
    reformatted: (n: string) => `${n} formatted since`,
    restored: (n: string) => `${n} gone once and back`,
  },
  paths: {
    same: "the same path",
    checkout: "the same path in another checkout",
    name: "a file of the same name",
  },
  commits: {
    between: "between its commit and the one before",
    before: "before its commit",
  },
} as const;
