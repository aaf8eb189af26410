export const LISTBOX_STRINGS = {
  search: (label: string) => `Search: ${label}`,
  placeholder: "Search",
  none: "No match",
  matches: (n: number) => (n === 1 ? "1 match" : `${n} matches`),
} as const;
