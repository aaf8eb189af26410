/** For a file that cannot be displayed. */
export const OPENING_STRINGS = {
  failed: "This file cannot be shown.",
  tooOld: "This browser is too old for it: Chrome 123, Firefox 120, Safari 17.5 and all later ones show it.",
  brokenOff: "Its end is missing: it was not saved or sent to its end.",
} as const;
