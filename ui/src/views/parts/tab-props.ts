import type { SessionState } from "../../engine/trace/trace-protocol.js";
import type { SessionRoute } from "../../model/address/address.js";

export interface TabProps {
  readonly route: SessionRoute;
  readonly session: SessionState;
}
