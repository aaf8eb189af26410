import type { Route } from "../../model/address.js";
import { STRINGS } from "../../strings/strings.js";

/** The title of the page: what is shown, the view, and the product. */
export function pageTitle(route: Route, sessionTitle: string | undefined): string {
  return [...titleParts(route, sessionTitle), STRINGS.product].join(" · ");
}

function titleParts(route: Route, sessionTitle: string | undefined): readonly string[] {
  if (route.view === "unknown") return [STRINGS.unknownAddress];
  if (route.view === "compare") return [route.sessionId, STRINGS.compare];
  if (route.view === "session") {
    const title = sessionTitle || route.sessionId;
    return route.tab === undefined ? [title] : [title, STRINGS.tabs[route.tab]];
  }
  return route.query.q ? [route.query.q, STRINGS.search.label] : [STRINGS.sessions];
}
