import type { InspectorUseCases } from "../../../application/questions/use-cases.js";
import type { SourceReport } from "../../../domain/session/source-report.js";
import { visibleJson } from "../../../domain/text/visible-text.js";
import { type HistoriesOptions, withHistories } from "../opening/histories.js";
import { shortened } from "../opening/open-source.js";
import type { CommandContext } from "../opening/parts.js";
import { sourcesText } from "../text/sources-text.js";
import { NOTHING_MATCHED, print, printText } from "../text/terminal.js";
import { untilRead } from "./until-read.js";

/**
 * @returns the exit code
 * @throws CommandLineError if the histories cannot be read
 */
export async function printSources(
  context: CommandContext,
  paths: readonly string[],
  options: HistoriesOptions,
): Promise<number> {
  return withHistories(context, paths, options, async (useCases, signal, { kind }) => {
    const sources = await completeReports(useCases, signal);
    const { stdout } = context.terminal;
    const isColoured = stdout.isTTY === true && !process.env.NO_COLOR;
    const named = sources.map((source) => ({
      ...source,
      name: source.name ?? kind?.title ?? "Histories",
      path: source.path && shortened(source.path),
    }));
    if (options.json) await print(context.terminal, `${visibleJson(JSON.stringify({ sources }))}\n`, signal);
    else await printText(context.terminal, sourcesText(named, isColoured), signal);
    return sources.length > 0 ? 0 : NOTHING_MATCHED;
  });
}

async function completeReports(
  { listSources }: Pick<InspectorUseCases, "listSources">,
  signal: AbortSignal,
): Promise<readonly SourceReport[]> {
  const { sources } = await untilRead(
    () => listSources.execute({}, { signal }),
    (answer) => {
      const isComplete = answer.sources.every(
        ({ isComplete, failure }) => isComplete || failure !== undefined,
      );
      return isComplete ? undefined : answer.sources.reduce((sum, { unread }) => sum + unread, 0);
    },
    signal,
  );
  return sources;
}
