import type { OverviewRequest } from "../../../application/questions/get-overview.js";
import type { InspectorUseCases } from "../../../application/questions/use-cases.js";
import type { Grouping, Overview } from "../../../domain/overview/overview.js";
import { formatCount } from "../../../domain/text/figures.js";
import { visibleJson } from "../../../domain/text/visible-text.js";
import { tenantQuery } from "../opening/find-session.js";
import { type HistoriesOptions, withHistories } from "../opening/histories.js";
import type { CommandContext } from "../opening/parts.js";
import { progressOf } from "../opening/progress.js";
import { NOTHING_MATCHED, print, printText } from "../text/terminal.js";
import { warningText } from "../text/text.js";
import { usageText } from "../text/usage-text.js";
import { checkFilter } from "./filter-option.js";
import { untilRead } from "./until-read.js";

export interface UsageOptions extends HistoriesOptions {
  readonly by: Grouping;
  /** In the form of `after:` in a filter, or `all`. */
  readonly since: string;
  readonly until: string;
  readonly filter?: string | undefined;
  readonly tenant?: string | undefined;
  readonly zone?: string | undefined;
}

/**
 * Prints after all sessions have been read; JSON is the document of the HTTP API.
 * @returns the exit code
 * @throws CommandLineError for histories that cannot be read
 */
export async function printUsage(
  context: CommandContext,
  paths: readonly string[],
  options: UsageOptions,
): Promise<number> {
  const { by, since, until, filter, tenant, zone, json = false } = options;
  checkFilter(filter, zone);
  const from = since === "all" ? undefined : since;
  const { terminal } = context;
  return withHistories(context, paths, options, async (useCases, signal) => {
    const selected = await tenantQuery(useCases, tenant, filter, signal);
    const request = { ...selected, by, from, to: until, zone };
    const overview = await completeOverview(context, useCases, request, signal);
    if (json) await print(terminal, `${visibleJson(JSON.stringify(overview))}\n`, signal);
    else {
      for (const warning of overview.warnings ?? []) terminal.stderr.write(`${warningText(warning)}\n`);
      await printText(terminal, usageText(overview, terminal.stdout.columns), signal);
    }
    return overview.coverage.sessions > 0 ? 0 : NOTHING_MATCHED;
  });
}

async function completeOverview(
  context: CommandContext,
  { getOverview }: Pick<InspectorUseCases, "getOverview">,
  request: OverviewRequest,
  signal: AbortSignal,
): Promise<Overview> {
  const progress = progressOf(context);
  const ask = () => getOverview.execute(request, { signal });
  const unreadOf = ({ coverage: { unread } }: Overview) => {
    if (unread === 0) return undefined;
    progress.show(`Reading what sessions did: ${formatCount(unread, "session")} to go`);
    return unread;
  };
  return untilRead(ask, unreadOf, signal).finally(progress.end);
}
