import { type RefObject, useLayoutEffect, useRef } from "react";
import { engine } from "../../app/engine.js";
import type { SessionLine } from "../../model/session-table.js";

/** Keeps what one reads where it is: after new sessions came in, the line that was on top is on top again. */
export function useStillList(
  scroller: RefObject<HTMLDivElement | null>,
  version: number,
  rowHeight: number,
  rowAt: (index: number) => SessionLine | undefined,
): void {
  const known = useRef(version);
  const look = useRef(rowAt);
  look.current = rowAt;
  useLayoutEffect(() => {
    if (known.current === version) return;
    known.current = version;
    const element = scroller.current;
    if (element === null || element.scrollTop < rowHeight) return;
    const top = Math.floor(element.scrollTop / rowHeight);
    const line = look.current(top);
    if (line?.type !== "session") return;
    const { tenantId, sessionId } = line.session;
    engine.call("listPlace", tenantId, sessionId).then((place) => {
      if (place !== -1 && place !== top) element.scrollTop += (place - top) * rowHeight;
    });
  }, [version, scroller, rowHeight]);
}
