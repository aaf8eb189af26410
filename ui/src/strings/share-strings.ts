const values = (n: string) => (n === "1" ? "1 value" : `${n} values`);
const were = (n: number, count: string) => `${values(count)} ${n === 1 ? "was" : "were"}`;

export const SHARE_STRINGS = {
  title: "Share",
  close: "Close",

  copyLink: "Copy link",
  linkHint: "Opens this view for everyone who can reach this service.",

  format: "Format",
  formats: {
    html: ["HTML file", "This page with the session in it. It opens from disk, without a network."],
    markdown: ["Markdown", "For people: prompts, answers, calls and results in their order."],
    jsonl: ["JSON Lines", "An archive, which Agent Inspector opens like any other history."],
    atif: ["ATIF", "A trajectory of ATIF 1.7."],
    otlp: ["OTLP", "Spans in the JSON of OpenTelemetry."],
  },

  part: "Part",
  parts: {
    complete: "Complete session",
    errors: "Errors only",
    turn: "One turn",
    step: "The selected step",
    agent: (name: string) => `Sub-agent ${name}`,
  },
  turnNumber: "Number of the turn",

  secrets: "Secrets",
  remove: "Remove all findings",
  leave: "Do not check for secrets",
  leaveWarning:
    "Nothing is checked and nothing is removed. The file holds every key, password, address, path and image of the session.",
  leaveSure: "I know the content of this session, and who gets the file",

  looking: "Checking for secrets…",
  lookingLong: "The complete session is read for this. Long sessions take a while.",
  nothing: "No secret or personal data detected",
  nothingHint: "Rules do not detect everything. Read the file before you share it.",
  changed: "The session has changed since. Current findings:",
  failed: "The check for secrets failed, so no file can be written",
  notWritten: "The file could not be written",
  again: "Try again",

  findings: "Findings",
  summary: (removed: string, exceptions: string) => {
    const gone = `${values(removed)} ${removed === "1" ? "is" : "are"} removed`;
    return exceptions === "0" ? gone : `${gone}, ${exceptions} ${exceptions === "1" ? "stays" : "stay"}`;
  },
  values,
  occurrences: (n: string) => (n === "1" ? "once" : `${n} times`),
  length: (n: string) => (n === "1" ? "1 character" : `${n} characters`),
  removeAll: (rule: string) => `Remove all of: ${rule}`,
  removeOne: (id: string) => `Remove ${id}`,
  removed: "removed",
  exception: "stays",
  partly: (n: string) => `${n} stay`,
  show: "Show",
  hide: "Hide",
  showValue: (id: string) => `Show ${id}`,
  hideValue: (id: string) => `Hide ${id}`,
  imageOf: (id: string) => `Image ${id}`,
  imageWarning: "Not checked. If it stays, its metadata stays too.",
  places: (n: string) => (n === "1" ? "1 more place" : `${n} more places`),
  more: (n: string) => `Show ${n} more`,

  download: "Download",
  downloadAll: "Download with all content",
  checking: "Preparing the file…",
  begun: "The download has begun",

  agent: {
    label: "Copy for an agent",
    hint: "Copy a prompt without secrets, for an agent to continue from here",
    does: "A prompt in Markdown, without the findings.",
    hintWithKey: "Copy a prompt without secrets, for an agent to continue from here (y)",
    errors: "Copy the errors for an agent",
    copying: "Preparing the prompt…",
    copied: (removed: number, count: string) =>
      removed === 0
        ? "Copied for an agent. Nothing had to be removed"
        : `Copied for an agent. ${were(removed, count)} removed`,
    notCopied: "The prompt is ready, but this browser does not let the page copy it",
    failed: (why: string) => `No prompt was copied: ${why}`,
  },
} as const;
