import type { InspectorSessionItem } from "../../../src/domain/session/session.js";
import type { SessionRef } from "../model/address.js";
import { tenantName } from "../model/tenant-name.js";
import type { SearchLine } from "./search-protocol.js";

type SessionLine = Extract<SearchLine, { readonly type: "session" }>;

export function sessionLine(
  session: SessionRef,
  item: InspectorSessionItem | undefined,
  found: Pick<SessionLine, "hits" | "countIs" | "title" | "lastActive">,
): SessionLine {
  const { tenantId, sessionId } = session;
  const { name, whole } = tenantName(item ?? session);
  return {
    type: "session",
    tenantId,
    sessionId,
    ...found,
    title: item?.title ?? found.title,
    lastActive: item?.lastActive ?? found.lastActive,
    tenant: { name, whole, source: item?.source },
  };
}
