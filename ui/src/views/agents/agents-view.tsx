import { Suspense, useMemo, useState } from "react";
import { formatCount } from "../../../../src/domain/text/figures.js";
import { changeAddress } from "../../app/address-store.js";
import { useRequested } from "../../app/use-answer.js";
import { useKeys } from "../../app/use-keys.js";
import type { AgentRow } from "../../engine/agents/agent-protocol.js";
import { type AddressQuery, changeQuery } from "../../model/address/address.js";
import { type AgentNode, agentNodes } from "../../model/agents/agent-forest.js";
import { readAgentsQuery } from "../../model/agents/agents-query.js";
import { AGENTS_STRINGS as strings } from "../../strings/agents-strings.js";
import { STRINGS } from "../../strings/strings.js";
import { lazyView } from "../parts/lazy-view.js";
import { Notice } from "../parts/notice.js";
import type { TabProps } from "../parts/tab-props.js";
import { AgentCard } from "./agent-card.js";
import { AgentGrid } from "./agent-grid.js";
import { AgentsToolbar } from "./agents-toolbar.js";
import styles from "./agents-view.module.css";
import { useAgents } from "./use-agents.js";
import { WaitSummary } from "./wait-summary.js";

const AgentGraph = lazyView(() => import("./agent-graph.js"));

const MOST_IN_GRAPH = 29;

export default function AgentsView({ route, session }: TabProps) {
  const { query } = route;
  const agentsQuery = readAgentsQuery(query);
  const { view, current, isOfQuery, toggle, foldAll, locate } = useAgents(agentsQuery, session);
  const selected = query.agent;
  const [cursor, setCursor] = useState(selected);
  const [line, setLine] = useState(-1);
  if (selected !== undefined && selected !== cursor) setCursor(selected);
  const change = (changes: AddressQuery) => changeAddress(changeQuery(query, changes));
  const version = view?.version;
  useRequested(() => (cursor === undefined ? undefined : locate(cursor)), setLine, [cursor, locate, version]);
  useKeys({ Escape: () => change({ agent: "" }) });

  const count = view?.agents ?? session.agents.length;
  if (view === undefined || (count === 0 && session.loading))
    return <Notice title={STRINGS.loading.agents} />;
  if (count === 0) return <Notice title={strings.none}>{strings.noneHint}</Notice>;

  const select = (id: string) => change({ agent: id });
  const moveTo = (row: AgentRow, to: number) => {
    // At once, so that a repeated key continues from here.
    setLine(to);
    setCursor(row.id);
    if (selected !== undefined && row.type === "agent") select(row.id);
  };
  const open = (row: AgentRow, at: number) => {
    setLine(at);
    setCursor(row.id);
    if (row.type !== "agent") return toggle(row.id);
    select(row.id);
  };
  const noGraph =
    count > MOST_IN_GRAPH ? strings.noGraph(formatCount(count), formatCount(MOST_IN_GRAPH)) : undefined;
  const shape = query.shape === "graph" && noGraph === undefined ? "graph" : "table";
  return (
    <div className={styles.view}>
      <div className={styles.left}>
        <AgentsToolbar
          view={view}
          agents={agentsQuery}
          shape={shape}
          noGraph={noGraph}
          onChange={change}
          onFoldAll={foldAll}
        />
        {shape === "graph" && <GraphShape route={route} session={session} onSelect={select} />}
        {shape === "table" && <WaitSummary view={view} onSelect={select} />}
        {shape === "table" && view.rows > 0 && (
          <AgentGrid
            view={view}
            busy={session.loading || !current}
            sort={agentsQuery.sort}
            cursor={cursor}
            line={line}
            onMove={moveTo}
            onSelect={open}
            onToggle={toggle}
            onSort={(sort) => change({ sort })}
          />
        )}
        {shape === "table" && view.rows === 0 && (
          <Notice title={isOfQuery && !session.loading ? strings.noMatch : strings.noMatchYet}>
            <button type="button" onClick={() => change({ filter: "" })}>
              {strings.clear}
            </button>
          </Notice>
        )}
      </div>
      {selected !== undefined && (
        <AgentCard
          key={selected}
          route={route}
          session={session}
          agentId={selected}
          version={view.version}
          onSelect={select}
          onClose={() => select("")}
        />
      )}
    </div>
  );
}

interface GraphShapeProps extends TabProps {
  onSelect(agentId: string): void;
}

function GraphShape({ route, session, onSelect }: GraphShapeProps) {
  const { agents } = session;
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const nodes = useMemo(() => agentNodes(agents, unfolded, STRINGS.trace.mainAgent), [agents, unfolded]);
  const choose = (node: AgentNode) => {
    if (node.agents.length > 1) setUnfolded(new Set([...unfolded, node.id]));
    else onSelect(node.id);
  };
  return (
    <section className={styles.graph} aria-label={strings.graph}>
      <Suspense fallback={<Notice title={strings.loading} />}>
        <AgentGraph nodes={nodes} selected={route.query.agent} onSelect={choose} />
      </Suspense>
      {unfolded.size > 0 && (
        <button type="button" className={styles.fold} onClick={() => setUnfolded(new Set())}>
          {strings.fold}
        </button>
      )}
    </section>
  );
}
