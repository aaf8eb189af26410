import { exported } from "./surroundings.js";

/** A page that is a file has no sources, and is handed on as it is. */
export const isServed = exported === undefined;

/** A session that is alone has no other one beside it. */
export const hasOthers = exported === undefined || exported.sessions.length > 1;

/** Keys of what there is not on this page: sources, sharing, copying for an agent, comparing. */
export const ABSENT_KEYS: ReadonlySet<string> = new Set([
  ...(isServed ? [] : ["s", "S", "y"]),
  ...(hasOthers ? [] : ["c"]),
]);
