import { Graph, layout } from "@dagrejs/dagre";
import { type LayoutAnswer, type LayoutRequest, NODE_HEIGHT, NODE_WIDTH } from "./layout-messages.js";

/** More leaves of a parent are laid out in a grid. */
const COLUMN = 14;

/** Children right of their parent. Many leaves become a grid, because a column of five hundred is unreadable. */
export function layoutGraph({ id, nodes }: LayoutRequest): LayoutAnswer {
  const parents = new Set(nodes.map(({ parentId }) => parentId));
  const blocks = new Map<string, string[]>();
  for (const node of nodes) {
    if (node.parentId === undefined || parents.has(node.id)) continue;
    const block = blocks.get(node.parentId);
    if (block === undefined) blocks.set(node.parentId, [node.id]);
    else block.push(node.id);
  }
  const graph = new Graph();
  graph.setGraph({ rankdir: "LR", nodesep: 14, ranksep: 60 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const node of nodes) {
    if (node.parentId === undefined || parents.has(node.id)) {
      graph.setNode(node.id, { width: NODE_WIDTH, height: NODE_HEIGHT });
      if (node.parentId !== undefined) graph.setEdge(node.parentId, node.id);
    }
  }
  for (const [parentId, leaves] of blocks) {
    const rows = Math.min(leaves.length, Math.max(COLUMN, Math.ceil(Math.sqrt(leaves.length * 2))));
    const columns = Math.ceil(leaves.length / rows);
    graph.setNode(blockId(parentId), {
      width: columns * (NODE_WIDTH + 14),
      height: rows * (NODE_HEIGHT + 12),
    });
    graph.setEdge(parentId, blockId(parentId));
  }
  layout(graph);
  const positions: { id: string; x: number; y: number }[] = [];
  for (const node of nodes) {
    if (!graph.hasNode(node.id)) continue;
    const { x = 0, y = 0 } = graph.node(node.id);
    positions.push({ id: node.id, x: x - NODE_WIDTH / 2, y: y - NODE_HEIGHT / 2 });
  }
  for (const [parentId, leaves] of blocks) {
    const { x = 0, y = 0, width = 0, height = 0 } = graph.node(blockId(parentId));
    const rows = Math.round(height / (NODE_HEIGHT + 12));
    for (const [nth, leaf] of leaves.entries()) {
      const column = Math.floor(nth / rows);
      positions.push({
        id: leaf,
        x: x - width / 2 + column * (NODE_WIDTH + 14),
        y: y - height / 2 + (nth % rows) * (NODE_HEIGHT + 12),
      });
    }
  }
  return { id, positions };
}

function blockId(parentId: string): string {
  return `block:${parentId}`;
}
