import { type McpServerOptions, serveMcp } from "../../adapters/mcp/mcp-server.js";
import { stopSignal } from "./run.js";
import { type HistoriesOptions, type OpenHistories, withHistories } from "./with-histories.js";

/** Serves histories to a program that speaks the Model Context Protocol, until it goes or a signal stops the process. */
export async function serveHistories(
  open: OpenHistories,
  { version, ...options }: HistoriesOptions & Pick<McpServerOptions, "version">,
): Promise<void> {
  const stopped = stopSignal();
  await withHistories(open, options, async (useCases, _signal, { description }) => {
    const server = serveMcp(useCases, { version, description, onError: writeFailure });
    await Promise.race([server.ended, stopped]);
    await server.close();
  });
}

/** Standard output belongs to the protocol. */
function writeFailure(error: unknown, tool: string): void {
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`agent-inspector: the tool ${tool} failed: ${cause}\n`);
}
