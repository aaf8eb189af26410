import { InvalidRequestError } from "../../application/errors.js";
import type { OverviewRequest } from "../../application/questions/get-overview.js";
import type { InspectorUseCases } from "../../application/questions/use-cases.js";
import type { Grouping, Overview } from "../../domain/overview/overview.js";
import { countText } from "../../domain/text/figure-texts.js";
import { visibleJson, visibleText } from "../../domain/text/visible-text.js";
import { checkFilter, FAILED } from "./filter-option.js";
import { type HistoriesOptions, withHistories } from "./histories.js";
import type { CommandContext } from "./parts.js";
import { CommandLineError, print, type Terminal } from "./terminal.js";
import { redrawn } from "./text.js";
import { untilRead } from "./until-read.js";
import { usageText } from "./usage-text.js";

export interface UsageOptions extends HistoriesOptions {
  readonly by: Grouping;
  /** As `after:` takes them in a filter: the first instant, and the first one behind. Default is all until now. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly filter?: string | undefined;
  readonly tenant?: string | undefined;
  /** By whose days. Default is that of the process. */
  readonly zone?: string | undefined;
}

/**
 * Prints what sessions did and cost together, once all of them have been read: as a table, or as the JSON document that the HTTP API answers.
 *
 * @returns the exit code: 0 where something was found, 1 where nothing was
 * @throws CommandLineError with exit code 2
 */
export async function printUsage(
  context: CommandContext,
  paths: readonly string[],
  options: UsageOptions,
): Promise<number> {
  const { by, since, until, filter, tenant, zone, json = false } = options;
  checkFilter(filter, zone);
  const request = { by, from: since, to: until, filter, tenantId: tenant, zone };
  let sessions = 0;
  try {
    await withHistories(context, paths, options, async (useCases, signal) => {
      const overview = await wholeOverview(useCases, request, context.terminal, signal);
      sessions = overview.coverage.sessions;
      for (const { file, line, reason } of json ? [] : (overview.warnings ?? []))
        context.terminal.stderr.write(`${visibleText(`${file}, line ${line}, ${reason}`)}\n`);
      const text = json ? `${visibleJson(JSON.stringify(overview))}\n` : usageText(overview);
      await print(context.terminal, text, signal);
    });
  } catch (error) {
    if (!(error instanceof CommandLineError)) throw error;
    throw new CommandLineError(asTyped(error), { cause: error, exitCode: FAILED });
  }
  return sessions > 0 ? 0 : 1;
}

/** A problem with a parameter, by the name of its option. */
function asTyped({ message, cause }: CommandLineError): string {
  if (!(cause instanceof InvalidRequestError)) return message;
  const { parameter } = cause;
  const option = { from: "--since", to: "--until", zone: "--zone", filter: "--filter" }[parameter];
  return option === undefined ? message : `${option}${message.slice(parameter.length)}`;
}

/** The terminal is told how far it is, where it is one. */
async function wholeOverview(
  { getOverview }: Pick<InspectorUseCases, "getOverview">,
  request: OverviewRequest,
  { stderr }: Terminal,
  signal: AbortSignal,
): Promise<Overview> {
  const showProgress = (text: string) => {
    if (stderr.isTTY) stderr.write(redrawn(text));
  };
  try {
    return await untilRead(
      () => getOverview.execute(request, { signal }),
      ({ coverage: { unread } }) => {
        if (unread === 0) return undefined;
        showProgress(`Reading what sessions did: ${countText(unread, "session")} to go`);
        return unread;
      },
      signal,
    );
  } finally {
    showProgress("");
  }
}
