import { lazy, Suspense, useMemo, useState } from "react";
import { changeAddress } from "../../app/address-store.js";
import { useKeys } from "../../app/use-keys.js";
import { changeQuery, MAIN_AGENT } from "../../model/address.js";
import {
  type AgentNode,
  agentNodes,
  agentRows,
  agentTimelines,
  shapeOf,
  timelineAxis,
} from "../../model/agent-forest.js";
import { STRINGS } from "../../strings/strings.js";
import { Notice } from "../parts/notice.js";
import type { TabProps } from "../session/tab-props.js";
import { AgentCard } from "./agent-card.js";
import { AgentTable } from "./agent-table.js";
import { AgentTimelines } from "./agent-timelines.js";
import styles from "./agents-view.module.css";

const AgentGraph = lazy(() => import("./agent-graph.js"));

const { agents: strings } = STRINGS;

/** What each agent was asked and answered, or who spawned whom and when; and the job of the selected one. */
export default function AgentsView({ route, session }: TabProps) {
  const { query } = route;
  const { agents, to, tracedAgents } = session;
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const nodes = useMemo(() => agentNodes(agents, unfolded, STRINGS.trace.mainAgent), [agents, unfolded]);
  const timelines = useMemo(() => agentTimelines(agents, to), [agents, to]);
  const axis = useMemo(
    () => timelineAxis(timelines, session.overview.axis),
    [timelines, session.overview.axis],
  );
  const traced = useMemo(() => new Map(tracedAgents.map((agent) => [agent.id, agent])), [tracedAgents]);
  const selected = query.agent;
  const select = (agent: string) => changeAddress(changeQuery(query, { agent }));
  const choose = (node: AgentNode) => {
    if (node.agents.length > 1) setUnfolded(new Set([...unfolded, node.id]));
    else if (node.id !== MAIN_AGENT) select(node.id);
  };
  const rows = useMemo(() => agentRows(agents), [agents]);
  const usual = shapeOf(rows);
  const shape = query.shape === "table" || query.shape === "graph" ? query.shape : usual;
  const order = shape === "table" ? rows : timelines;
  const at = order.findIndex(({ agent }) => agent.agentId === selected);
  const move = (to: number) => {
    const next = order[Math.min(order.length - 1, Math.max(0, to))];
    if (next !== undefined) select(next.agent.agentId);
  };
  useKeys({
    j: () => move(at + 1),
    k: () => move(at - 1),
    ArrowDown: move.bind(null, at + 1),
    ArrowUp: move.bind(null, at - 1),
    Escape: select.bind(null, ""),
  });
  if (agents.length === 0 && session.loading) return <Notice title={STRINGS.trace.loading} />;
  if (agents.length === 0) return <Notice title={strings.none}>{strings.noneHint}</Notice>;
  const agent = order[at]?.agent;
  return (
    <div className={styles.view}>
      <div className={styles.left}>
        <div className={styles.bar}>
          {strings.count(agents.length)}
          <span>
            {(["table", "graph"] as const).map((name) => (
              <button
                key={name}
                type="button"
                aria-pressed={shape === name}
                onClick={() => changeAddress(changeQuery(query, { shape: name === usual ? "" : name }))}
              >
                {strings.shapes[name]}
              </button>
            ))}
          </span>
        </div>
        {shape === "table" ? (
          <AgentTable route={route} rows={rows} traced={traced} session={session} at={at} />
        ) : (
          <>
            <section className={styles.graph} aria-label={strings.graph}>
              <Suspense fallback={<Notice title={strings.loading} />}>
                <AgentGraph nodes={nodes} selected={selected} onSelect={choose} />
              </Suspense>
              {unfolded.size > 0 && (
                <button type="button" className={styles.fold} onClick={() => setUnfolded(new Set())}>
                  {strings.fold}
                </button>
              )}
            </section>
            <AgentTimelines timelines={timelines} traced={traced} at={at} axis={axis} onSelect={select} />
          </>
        )}
      </div>
      {agent !== undefined && (
        <AgentCard
          key={agent.agentId}
          route={route}
          agent={agent}
          traced={traced.get(agent.agentId)}
          version={session.traceVersion}
          onClose={() => select("")}
        />
      )}
    </div>
  );
}
