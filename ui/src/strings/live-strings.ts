export const LIVE_STRINGS = {
  running: "Running",
  waiting: "Waiting for you",
  stalled: "Stalled",
  looping: "Looping",
  failed: "Failed",
  done: "Done",
  unknown: "No end recorded",
} as const;
