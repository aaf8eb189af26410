import type { InspectorSessionItem } from "../../../../src/domain/session/session.js";
import type { SessionKey } from "../../../../src/domain/session/session-key.js";
import { tenantName } from "../../model/text/tenant-name.js";
import type { SearchLine } from "./search-protocol.js";

type SessionLine = Extract<SearchLine, { readonly type: "session" }>;

export function sessionLine(
  session: SessionKey,
  item: InspectorSessionItem | undefined,
  hit: Pick<SessionLine, "hits" | "countIs" | "title" | "lastActive">,
): SessionLine {
  const { tenantId, sessionId } = session;
  const { name, full: fullName } = tenantName(item ?? session);
  return {
    type: "session",
    tenantId,
    sessionId,
    ...hit,
    title: item?.title ?? hit.title,
    lastActive: item?.lastActive ?? hit.lastActive,
    tenant: { name, full: fullName, source: item?.source },
  };
}
