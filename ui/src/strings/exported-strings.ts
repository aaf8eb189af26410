export const EXPORTED_STRINGS = {
  label: "Exported file",
  exported: "Exported",
  by: (version: string) => `by Agent Inspector ${version}`,
  part: (part: string) => `only ${part}`,
  removed: (n: number) => (n === 1 ? "1 value removed" : `${n} values removed`),
  removedHint: "What was removed from this file",
  removedMeaning:
    "What looked like a secret, or personal, was replaced by a stub such as [api key 3, 40 characters] before this file was written. Rules do not find everything: look at it before you hand it on.",
  kept: (n: number) => (n === 1 ? "1 was found and left in it." : `${n} were found and left in it.`),
  notRedacted: "Secrets not looked for",
  notRedactedMeaning:
    "Nobody looked for secrets or personal data: this file holds all that was recorded. Its images were not checked. Look at it before you hand it on.",
} as const;
