import type { SessionState } from "../../engine/trace-protocol.js";
import type { SessionRoute } from "../../model/address.js";

/** Properties of each view of a session. */
export interface TabProps {
  readonly route: SessionRoute;
  readonly session: SessionState;
}
