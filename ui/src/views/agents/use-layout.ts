import { useEffect, useRef, useState } from "react";
import type { AgentNode } from "../../model/agent-forest.js";
import type { LayoutAnswer, LayoutRequest } from "./layout-graph.js";

/** Places for the nodes, worked out in a worker: hundreds of agents must not hold up the page. */
export function useLayout(nodes: readonly AgentNode[]): LayoutAnswer | undefined {
  const [answer, setAnswer] = useState<LayoutAnswer>();
  const worker = useRef<Worker>(undefined);
  const asked = useRef(0);
  useEffect(() => {
    const started = new Worker(new URL("./layout-worker.ts", import.meta.url), { type: "module" });
    worker.current = started;
    started.addEventListener("message", ({ data }: MessageEvent<LayoutAnswer>) => {
      if (data.id === asked.current) setAnswer(data);
    });
    return () => started.terminate();
  }, []);
  useEffect(() => {
    const request: LayoutRequest = {
      id: ++asked.current,
      nodes: nodes.map(({ id, parentId }) => ({ id, parentId })),
    };
    worker.current?.postMessage(request);
  }, [nodes]);
  return answer;
}
