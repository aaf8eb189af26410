import type { SessionState } from "../../engine/trace-protocol.js";
import type { SessionRoute } from "../../model/address.js";

export interface TabProps {
  readonly route: SessionRoute;
  readonly session: SessionState;
}
