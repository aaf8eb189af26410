import type { InspectorUseCases } from "../../application/questions/endpoints.js";
import type { SourceReport } from "../../domain/session/source-report.js";
import { visibleJson } from "../../domain/text/visible-text.js";
import { type HistoriesOptions, withHistories } from "./histories.js";
import { shortened } from "./open-source.js";
import type { CommandContext } from "./parts.js";
import { sourcesText } from "./sources-text.js";
import { print } from "./terminal.js";

/**
 * Prints where the histories come from and what becomes of them, once all of it has been read.
 *
 * @throws CommandLineError where the histories cannot be read
 */
export async function printSources(
  context: CommandContext,
  paths: readonly string[],
  options: HistoriesOptions,
): Promise<void> {
  await withHistories(context, paths, options, async (useCases, signal, { kind }) => {
    const sources = await wholeReports(useCases, signal);
    const { stdout } = context.terminal;
    const isColoured = stdout.isTTY === true && !process.env.NO_COLOR;
    const named = sources.map((source) => ({
      ...source,
      name: source.name ?? kind?.title ?? "Histories",
      path: source.path && shortened(source.path),
    }));
    const text = options.json
      ? `${visibleJson(JSON.stringify({ sources }))}\n`
      : sourcesText(named, isColoured);
    await print(context.terminal, text, signal);
  });
}

/** After so many answers that got on by no session, what is known is all that there will be: a file that grows faster than it is read. */
const PATIENCE = 30;

/** Asks until everything has been read: each answer gets on. What takes long is told by the sources themselves. */
async function wholeReports(
  { listSources }: Pick<InspectorUseCases, "listSources">,
  signal: AbortSignal,
): Promise<readonly SourceReport[]> {
  let least = Number.POSITIVE_INFINITY;
  for (let inVain = 0; ; inVain++) {
    const { sources } = await listSources.execute({}, { signal });
    const isWhole = sources.every(({ isComplete, failure }) => isComplete || failure !== undefined);
    if (isWhole || inVain === PATIENCE) return sources;
    signal.throwIfAborted();
    const unread = sources.reduce((sum, source) => sum + source.unread, 0);
    if (unread < least) inVain = 0;
    least = Math.min(least, unread);
  }
}
