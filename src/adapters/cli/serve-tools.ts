import { type HistoriesOptions, withHistories } from "./histories.js";
import type { CommandContext } from "./parts.js";
import { stopSignal } from "./terminal.js";

/** Serves histories to a program that speaks the Model Context Protocol, until it goes or a signal stops the process. */
export async function serveTools(
  context: CommandContext,
  version: string,
  paths: readonly string[],
  options: HistoriesOptions,
): Promise<void> {
  const { parts, terminal } = context;
  const stopped = stopSignal(terminal);
  await withHistories(context, paths, options, async (useCases, _signal, { description }) => {
    /** Standard output belongs to the protocol. */
    const onError = (error: unknown, tool: string) => {
      const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
      terminal.stderr.write(`agent-inspector: the tool ${tool} failed: ${cause}\n`);
    };
    const server = await parts.serveMcp(useCases, { version, description, onError });
    await Promise.race([server.ended, stopped]);
    await server.close();
  });
}
