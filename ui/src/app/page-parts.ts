import { exported } from "./surroundings.js";

/** A page that is a file has no sources, and is shared as it is. */
export const isServed = exported === undefined;

export const hasOthers = exported === undefined || exported.sessions.length > 1;

export const ABSENT_KEYS: ReadonlySet<string> = new Set([
  ...(isServed ? [] : ["s", "S", "y"]),
  ...(hasOthers ? [] : ["c"]),
]);
