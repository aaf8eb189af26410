export const VIEWS = {
  compare: () => import("../compare/compare-view.js"),
  overview: () => import("../overview/overview-view.js"),
  session: () => import("../session/session-view.js"),
  sessions: () => import("../sessions/sessions-view.js"),
  why: () => import("../why/why-view.js"),
  sources: () => import("../sources/sources-view.js"),
} as const;
