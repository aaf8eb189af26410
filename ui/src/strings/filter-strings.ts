/** The strings of the bar above the list of sessions: the filter, the columns and the views. */
export const FILTER_STRINGS = {
  filter: "Filter sessions",
  placeholder: "Filter: tenant:acme tool:search cost:>1 after:7d",
  terms: "What is filtered by",
  edit: (term: string) => `Change ${term}`,
  remove: (term: string) => `Remove ${term}`,
  clear: "Clear the filter",
  suggestions: "Suggestions",
  /** Number of suggestions, for screen readers. */
  offered: (count: number) => (count === 0 ? "" : count === 1 ? "1 suggestion" : `${count} suggestions`),
  inSessions: (count: string) => (count === "1" ? "1 session" : `${count} sessions`),
  failed: "anything that failed",
  instead: (nearest: string) => `Use “${nearest}”`,
  undecided: (count: string) =>
    count === "1"
      ? "1 session is left out: it is not read yet, or does not record what the filter asks for."
      : `${count} sessions are left out: they are not read yet, or do not record what the filter asks for.`,
  narrowing: (count: string) => `up to ${count}, looking into them…`,
  countOf: (count: string, known: string) => `${count} of ${known} sessions`,
  wrong: "The filter cannot be read",
  wrongHint: "No session is shown until it can. What is wrong is said above.",
  loosen: (term: string) => `Without ${term}`,

  columns: "Columns",
  columnsHint: "Which columns are shown, and in what order",
  empty: "no session has it",
  rare: "few sessions have it",
  up: (column: string) => `Move ${column} up`,
  down: (column: string) => `Move ${column} down`,
  byDefault: "As they are by default",
  edge: (column: string) => `Width of ${column}`,

  views: "Views",
  viewsHint: "Filter, columns, order and groups under a name",
  ownViews: "Saved in this browser",
  givenViews: "From this application",
  noViews: "Nothing saved yet",
  saveAs: "Name of the view",
  save: "Save this view",
  rename: (name: string) => `Rename ${name}`,
  renamed: "New name",
  keep: "Rename",
  removeView: (name: string) => `Delete ${name}`,
  link: "Copy link",
} as const;
