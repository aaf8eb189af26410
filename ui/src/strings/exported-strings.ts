export const EXPORTED_STRINGS = {
  label: "Exported file",
  exported: "Exported",
  by: (version: string) => `by Agent Inspector ${version}`,
  part: (part: string) => `only ${part}`,
  removed: (n: number) => (n === 1 ? "1 value removed" : `${n} values removed`),
  removedHint: "Values removed from this file",
  removedMeaning:
    "Values that looked secret or personal were replaced by stubs such as [api key 3, 40 characters]. Rules do not detect everything: check the file before you share it.",
  remaining: (n: number) =>
    n === 1 ? "1 finding remains in the file." : `${n} findings remain in the file.`,
  notRedacted: "Not checked for secrets",
  notRedactedMeaning:
    "This file was not checked for secrets or personal data, nor were its images. It holds the complete recording. Check it before you share it.",
} as const;
