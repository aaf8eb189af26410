import { Background, Controls, type Edge, Handle, type Node, Position, ReactFlow } from "@xyflow/react";
import { formatCount } from "../../../../src/domain/text/figures.js";
import "@xyflow/react/dist/style.css";
import { useEffect, useMemo, useRef, useState } from "react";
import { startWorker } from "../../app/page-files.js";
import { startLayout } from "../../app/surroundings.js";
import { MAIN_AGENT } from "../../model/address/address.js";
import { type AgentNode, agentState, lastJobFailed } from "../../model/agents/agent-forest.js";
import { AGENTS_STRINGS as strings } from "../../strings/agents-strings.js";
import { Notice } from "../parts/notice.js";
import { StatusMark } from "../parts/status-mark.js";
import styles from "./agent-graph.module.css";
import { type LayoutAnswer, type LayoutRequest, NODE_HEIGHT, NODE_WIDTH } from "./layout-messages.js";

type AgentFlowNode = Node<{ readonly node: AgentNode; readonly selected: boolean }>;

interface AgentGraphProps {
  readonly nodes: readonly AgentNode[];
  readonly selected: string | undefined;
  onSelect(node: AgentNode): void;
}

const NODE_TYPES = { agent: AgentBox };

export default function AgentGraph({ nodes, selected, onSelect }: AgentGraphProps) {
  const layout = useLayout(nodes);
  const flow = useMemo(() => {
    if (layout === undefined) return undefined;
    const positions = new Map(layout.positions.map((position) => [position.id, position]));
    const placed = nodes.filter(({ id }) => positions.has(id));
    return {
      nodes: placed.map(
        (node): AgentFlowNode => ({
          id: node.id,
          type: "agent",
          position: positions.get(node.id)!,
          width: NODE_WIDTH,
          height: NODE_HEIGHT,
          ariaLabel: node.label,
          data: { node, selected: node.id === selected },
        }),
      ),
      edges: placed
        .filter(({ parentId }) => parentId !== undefined)
        .map(
          (node): Edge => ({
            id: `to ${node.id}`,
            source: node.parentId!,
            target: node.id,
            focusable: false,
          }),
        ),
    };
  }, [nodes, layout, selected]);
  if (flow === undefined) return <Notice title={strings.loading} />;
  return (
    <ReactFlow
      key={nodes.length}
      className={styles.graph ?? ""}
      nodes={flow.nodes}
      edges={flow.edges}
      nodeTypes={NODE_TYPES}
      fitView
      fitViewOptions={{ maxZoom: 1, padding: { x: 0.1, top: 0.1, bottom: "48px" } }}
      minZoom={0.05}
      nodesDraggable={false}
      nodesConnectable={false}
      edgesFocusable={false}
      onlyRenderVisibleElements
      proOptions={{ hideAttribution: false }}
      onNodeClick={(_, { data }) => onSelect(data.node)}
      onKeyDown={(event) => {
        const id = event.target instanceof HTMLElement ? event.target.dataset.id : undefined;
        const node = nodes.find((candidate) => candidate.id === id);
        if (event.key === "Enter" && node !== undefined) onSelect(node);
      }}
    >
      <Background />
      <Controls orientation="horizontal" showInteractive={false} />
    </ReactFlow>
  );
}

function AgentBox({ data }: { readonly data: AgentFlowNode["data"] }) {
  const { node, selected } = data;
  const [only] = node.agents;
  const many = node.agents.length > 1;
  const failed = node.agents.filter(lastJobFailed).length;
  return (
    <div className={styles.box} data-selected={selected} data-many={many} data-main={node.id === MAIN_AGENT}>
      <Handle type="target" position={Position.Left} />
      <b title={node.label}>{node.label}</b>
      <span>
        {many && strings.count(formatCount(node.agents.length))}
        {many && failed > 0 && <StatusMark status="failed" label={strings.failed(failed)} />}
        {!many && only !== undefined && (
          <>
            <StatusMark status={agentState(only)} /> {node.role}
          </>
        )}
      </span>
      <Handle type="source" position={Position.Right} />
    </div>
  );
}

/** In a worker, because the layout of hundreds of agents would block the page. */
function useLayout(nodes: readonly AgentNode[]): LayoutAnswer | undefined {
  const [answer, setAnswer] = useState<LayoutAnswer>();
  const worker = useRef<Worker>(undefined);
  const lastRequest = useRef<LayoutRequest>(undefined);
  useEffect(() => {
    let isLeft = false;
    startWorker(startLayout, (started) => {
      if (isLeft) return started.terminate();
      worker.current = started;
      started.addEventListener("message", ({ data }: MessageEvent<LayoutAnswer>) => {
        if (data.id === lastRequest.current?.id) setAnswer(data);
      });
      if (lastRequest.current !== undefined) started.postMessage(lastRequest.current);
    });
    return () => {
      isLeft = true;
      worker.current?.terminate();
    };
  }, []);
  useEffect(() => {
    lastRequest.current = {
      id: (lastRequest.current?.id ?? 0) + 1,
      nodes: nodes.map(({ id, parentId }) => ({ id, parentId })),
    };
    worker.current?.postMessage(lastRequest.current);
  }, [nodes]);
  return answer;
}
