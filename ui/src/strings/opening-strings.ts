/** For a file that cannot be displayed. */
export const OPENING_STRINGS = {
  failed: "This file cannot be displayed.",
  tooOld: "This browser is too old. The file needs Chrome 123, Firefox 120, Safari 17.5 or later.",
  brokenOff: "The end of the file is missing. Save or send it again.",
} as const;
