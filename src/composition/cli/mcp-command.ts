import { availableParallelism } from "node:os";
import { ThreadPool } from "../../adapters/jsonl/thread-pool.js";
import { type McpServerOptions, serveMcp } from "../../adapters/mcp/mcp-server.js";
import type { McpUseCases } from "../../adapters/mcp/use-cases.js";
import type { InspectorDataSource } from "../../application/ports/inspector-data-source.js";
import { createInspectorContainer, type InspectorContainerOptions } from "../container.js";
import { TOKENS } from "../tokens.js";
import type { OpenedSource, OpenSourceOptions } from "./open-source.js";
import { type PriceOptions, pricesIn } from "./price-file.js";
import { stopSignal } from "./run.js";

export interface McpOptions extends PriceOptions {
  /** Whether what is read of files may be kept for the next start. */
  readonly cache: boolean;
}

/** Serves histories to a program that speaks the Model Context Protocol, until it goes or a signal stops the process. */
export async function serveHistories(
  open: (options: OpenSourceOptions) => Promise<OpenedSource>,
  { cache, version, ...options }: McpOptions & Pick<McpServerOptions, "version">,
): Promise<void> {
  const stopped = stopSignal();
  const prices = await pricesIn(options);
  const pool = new ThreadPool(availableParallelism());
  pool.begin();
  try {
    const opened = await open({ pool, cache, demo: false });
    try {
      const server = serveMcp(useCasesOf(opened.source, { pool, prices }), {
        version,
        description: opened.description,
        onError: writeFailure,
      });
      await Promise.race([server.ended, stopped]);
      await server.close();
    } finally {
      await opened.close();
    }
  } finally {
    await pool.close();
  }
}

function useCasesOf(source: InspectorDataSource, options: InspectorContainerOptions): McpUseCases {
  const container = createInspectorContainer(source, options);
  return {
    listSessions: container.resolve(TOKENS.listSessions),
    searchRecords: container.resolve(TOKENS.searchRecords),
    getSessionTrace: container.resolve(TOKENS.getSessionTrace),
    getSessionMessages: container.resolve(TOKENS.getSessionMessages),
    getCallContext: container.resolve(TOKENS.getCallContext),
    summarizeSession: container.resolve(TOKENS.summarizeSession),
  };
}

/** Standard output belongs to the protocol. */
function writeFailure(error: unknown, tool: string): void {
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`agent-inspector: the tool ${tool} failed: ${cause}\n`);
}
