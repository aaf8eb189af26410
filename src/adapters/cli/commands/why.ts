import { InvalidRequestError } from "../../../application/errors.js";
import { REPOSITORY_PROBLEMS, WorkspaceFileError } from "../../../application/ports/workspace-files.js";
import { formatCount } from "../../../domain/text/figures.js";
import { visibleJson, visibleText } from "../../../domain/text/visible-text.js";
import { type HistoriesOptions, type UseHistories, withHistories } from "../opening/histories.js";
import type { CommandContext } from "../opening/parts.js";
import { progressOf } from "../opening/progress.js";
import { CommandLineError, NOTHING_MATCHED, orExplain, print, printText } from "../text/terminal.js";
import { whyText } from "../text/why-text.js";
import { checkFilter } from "./filter-option.js";
import { untilRead } from "./until-read.js";

export interface WhyOptions extends HistoriesOptions {
  readonly commit?: string | undefined;
  readonly filter?: string | undefined;
}

const LINES = /^(.+?)(?::(\d{1,9})(?:-(\d{1,9}))?)?$/s;

/**
 * @returns the exit code
 * @throws CommandLineError for a file or histories that cannot be read
 */
export async function explainFile(
  context: CommandContext,
  location: string,
  paths: readonly string[],
  options: WhyOptions,
): Promise<number> {
  const { parts, terminal } = context;
  const { commit, filter, json = false } = options;
  checkFilter(filter);
  const [, name = location, from, to] = LINES.exec(location) ?? [];
  const [line, toLine] = [from, to].map((digits) => (digits === undefined ? undefined : Number(digits)));
  const use: UseHistories<number> = async (useCases, signal) => {
    const { file, text, workspace, problem } = await reading;
    if (problem !== undefined) context.terminal.stderr.write(`${REPOSITORY_PROBLEMS[problem]}\n`);
    const explain = (whileUnread: "lines" | "nothing") =>
      useCases.explainLines.execute({ file, text, workspace, line, toLine, filter, whileUnread }, { signal });
    const progress = progressOf(context);
    const existing = await untilRead(
      () => explain("nothing"),
      ({ coverage: { unread } }) => {
        if (unread === 0) return undefined;
        progress.show(`Reading what sessions edited: ${formatCount(unread, "session")} to go`);
        return unread;
      },
      signal,
    );
    const answer = existing.coverage.unread === 0 ? existing : await explain("lines");
    progress.end();
    if (json) await print(terminal, `${visibleJson(JSON.stringify(answer))}\n`, signal);
    else await printText(terminal, whyText(answer, terminal.stdout.columns), signal);
    return answer.blocks.some(({ candidates }) => candidates.length > 0) ? 0 : NOTHING_MATCHED;
  };
  const reading = parts.workspaceFiles().then((files) => files.read(name, { commit }));
  const using = withHistories(context, paths, { ...options, readAhead: 0 }, use);
  return orExplain(
    async () => {
      await Promise.allSettled([reading, using]);
      await reading;
      return using;
    },
    (error) => problemOf(error, name),
  );
}

function problemOf(error: unknown, file: string): string | undefined {
  if (error instanceof WorkspaceFileError) return visibleText(error.message);
  if (!(error instanceof CommandLineError)) return undefined;
  const { cause, message } = error;
  const isLine = cause instanceof InvalidRequestError && cause.parameter === "line";
  return isLine ? visibleText(`${file}: the ${message}`) : undefined;
}
