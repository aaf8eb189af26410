import { useRef, useState } from "react";
import type { InspectorSessionItem } from "../../../../src/domain/session/session.js";
import type { SessionKey } from "../../../../src/domain/session/session-key.js";
import { goTo } from "../../app/address-store.js";
import { engine } from "../../app/engine.js";
import { listPosition, rememberListPosition } from "../../app/list-position.js";
import { isTyping, useKeys } from "../../app/use-keys.js";
import { useOnceReady } from "../../app/use-once-ready.js";
import { sessionAddress } from "../../model/address/address.js";

interface Rows {
  first(): number;
  readonly isCurrent: boolean;
  onMove(line: number, session: InspectorSessionItem): void;
}

export function useSelectedSession({ first, isCurrent, onMove }: Rows) {
  const [selected, setSelected] = useState(() => listPosition().selected);
  // Keys run in order on the engine's current lines: visible ones may be outdated.
  const moving = useRef(Promise.resolve(selected));
  const select = ({ tenantId, sessionId }: SessionKey) => {
    setSelected({ tenantId, sessionId });
    rememberListPosition({ selected: { tenantId, sessionId } });
  };
  /** @param step 0 stays on the selected line, if it is still listed */
  const move = (step: 1 | -1 | 0) => {
    moving.current = moving.current.then(async (last) => {
      const from = last === undefined ? -1 : await engine.call("listIndex", last.tenantId, last.sessionId);
      let to = from === -1 ? first() : from + step;
      let line = await lineAt(to);
      if (line?.type === "group") {
        to += step || 1;
        line = await lineAt(to);
      }
      if (line?.type !== "session") return last;
      select(line.session);
      onMove(Math.max(0, to), line.session);
      return line.session;
    });
  };
  const open = async () => {
    const session = await moving.current;
    if (session === undefined || isTyping(document.activeElement)) return;
    const at = await engine.call("listIndex", session.tenantId, session.sessionId);
    if (at !== -1) goTo(sessionAddress(session));
  };
  const enter = useOnceReady(isCurrent, () => move(0));
  const openCurrent = useOnceReady(isCurrent, open);
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => openCurrent(),
  });
  return {
    selected,
    enter,
    select: (session: SessionKey) => {
      moving.current = Promise.resolve(session);
      select(session);
    },
  };
}

async function lineAt(index: number) {
  const from = Math.max(0, index);
  return (await engine.call("listLines", from, from + 1))[0];
}
