import type { SessionState } from "../../engine/trace-protocol.js";
import type { SessionRoute } from "../../model/address.js";

/** What each view of a session is made of. */
export interface TabProps {
  readonly route: SessionRoute;
  readonly session: SessionState;
}
