import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { SessionKey } from "../../../../src/domain/session/session-key.js";
import { engine } from "../../app/engine.js";
import { listPosition, rememberListPosition, saveListPosition } from "../../app/list-position.js";
import type { ListQuery, SessionListState } from "../../engine/sessions/list-protocol.js";
import { type SessionLine, writeSort } from "../../model/sessions/session-table.js";

/**
 * Restores the position when the list is displayed again, and stays at the same line when sessions are added above. A different list
 * starts at the top.
 * @param query a different query is a different list
 */
export function useListPosition(
  scroller: RefObject<HTMLDivElement | null>,
  list: SessionListState,
  query: ListQuery,
  rowHeight: number,
  rowAt: (index: number) => SessionLine | undefined,
): void {
  const address = JSON.stringify(query);
  // In other orders, later sessions may be inserted above.
  const growsBelow = query.grouping === "none" && writeSort(query.sort) === undefined;
  const latestRowAt = useRef(rowAt);
  latestRowAt.current = rowAt;
  const current = useRef({ address, version: list.version });
  const [left] = useState(listPosition);
  const isRestored = useRef(left.top === 0);

  useLayoutEffect(() => {
    const before = current.current;
    current.current = { address, version: list.version };
    const element = scroller.current;
    if (element === null) return;
    if (before.address !== address) {
      isRestored.current = true;
      element.scrollTop = 0;
      return;
    }
    const isLongEnough = list.lines * rowHeight >= left.top + element.clientHeight;
    if (!isRestored.current && (list.complete || (growsBelow && isLongEnough))) {
      isRestored.current = true;
      if (element.scrollTop > 0) return;
      element.scrollTop = left.top;
      void scrollToSession(element, left.first, rowHeight);
    } else if (before.version !== list.version && element.scrollTop >= rowHeight) {
      void scrollToSession(element, sessionAt(latestRowAt.current, element, rowHeight), rowHeight);
    }
  }, [scroller, address, left, list.version, list.complete, list.lines, growsBelow, rowHeight]);

  useEffect(() => {
    const element = scroller.current!;
    rememberListPosition({});
    const remember = () => {
      const first = sessionAt(latestRowAt.current, element, rowHeight);
      rememberListPosition({ top: element.scrollTop, first });
    };
    element.addEventListener("scroll", remember, { passive: true });
    return () => element.removeEventListener("scroll", remember);
  }, [scroller, rowHeight]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is another list
  useEffect(() => rememberListPosition({}), [address]);
  useEffect(() => saveListPosition, []);
}

function sessionAt(
  rowAt: (index: number) => SessionLine | undefined,
  { scrollTop }: HTMLElement,
  rowHeight: number,
): SessionKey | undefined {
  const line = rowAt(Math.floor(scrollTop / rowHeight));
  if (line?.type !== "session") return undefined;
  const { tenantId, sessionId } = line.session;
  return { tenantId, sessionId };
}

async function scrollToSession(
  element: HTMLElement,
  session: SessionKey | undefined,
  rowHeight: number,
): Promise<void> {
  if (session === undefined) return;
  const top = Math.floor(element.scrollTop / rowHeight);
  const index = await engine.call("listIndex", session.tenantId, session.sessionId);
  if (index !== -1 && index !== top) element.scrollTop += (index - top) * rowHeight;
}
