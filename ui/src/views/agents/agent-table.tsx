import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import type { SessionState, TracedAgent } from "../../engine/trace-protocol.js";
import type { SessionRoute } from "../../model/address.js";
import type { AgentRow } from "../../model/agent-forest.js";
import { STRINGS } from "../../strings/strings.js";
import styles from "./agent-table.module.css";
import { AgentTableRow } from "./agent-table-row.js";

interface AgentTableProps {
  readonly route: SessionRoute;
  readonly rows: readonly AgentRow[];
  readonly traced: ReadonlyMap<string, TracedAgent>;
  readonly session: SessionState;
  /** The line of the selected agent; -1 where none is. */
  readonly at: number;
}

/** About how high a row is, before it has been drawn. */
const ROW = 84;

const { agents: strings, detail, trace } = STRINGS;

/** What each agent was asked, what it answered, and what that took. */
export function AgentTable({ route, rows, traced, session, at }: AgentTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    getItemKey: (index) => rows[index]!.agent.agentId,
    overscan: 3,
  });
  useEffect(() => {
    if (at !== -1) virtual.scrollToIndex(at);
  }, [at, virtual]);
  const items = virtual.getVirtualItems();
  return (
    <div
      ref={scroller}
      className={styles.table}
      role="grid"
      aria-label={strings.table}
      aria-rowcount={rows.length + 1}
      aria-activedescendant={items.some(({ index }) => index === at) ? `agent-${at}` : undefined}
      tabIndex={0}
    >
      <div role="row" aria-rowindex={1} className={styles.head}>
        <span role="columnheader">{strings.agent}</span>
        <span role="columnheader">{strings.asked}</span>
        <span role="columnheader">{strings.answered}</span>
        <span role="columnheader">{strings.status}</span>
        <span role="columnheader">{detail.model}</span>
        <span role="columnheader" title={strings.totalsHint}>
          {detail.calls}
        </span>
        <span role="columnheader" title={strings.totalsHint}>
          {detail.tokens}
        </span>
        <span role="columnheader">{trace.duration}</span>
      </div>
      <div role="rowgroup" className={styles.body} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ key, index, start }) => (
          <AgentTableRow
            key={key}
            measure={virtual.measureElement}
            route={route}
            index={index}
            top={start}
            row={rows[index]!}
            traced={traced.get(rows[index]!.agent.agentId)}
            until={session.to}
            version={session.traceVersion}
            loading={session.loading}
            selected={index === at}
          />
        ))}
      </div>
    </div>
  );
}
