import { InvalidRequestError } from "../../application/errors.js";
import { REPOSITORY_PROBLEMS, WorkspaceFileError } from "../../application/ports/workspace-files.js";
import { countText } from "../../domain/text/figure-texts.js";
import { visibleJson, visibleText } from "../../domain/text/visible-text.js";
import { checkFilter, FAILED } from "./filter-option.js";
import { type HistoriesOptions, withHistories } from "./histories.js";
import type { CommandContext } from "./parts.js";
import { CommandLineError, print } from "./terminal.js";
import { redrawn } from "./text.js";
import { untilRead } from "./until-read.js";
import { whyText } from "./why-text.js";

export interface WhyOptions extends HistoriesOptions {
  /** A revision of the repository in which the file is read. Default is the file as it lies there. */
  readonly commit?: string | undefined;
  /** Only sessions that it means. */
  readonly filter?: string | undefined;
}

/** Lines of a file, as they are typed: `src/a.ts`, `src/a.ts:12`, `src/a.ts:12-40`. */
const LINES = /^(.+?)(?::(\d{1,9})(?:-(\d{1,9}))?)?$/s;

/**
 * Prints which edits of sessions wrote lines of a file, and what their models saw.
 *
 * @returns the exit code: 0 where a session wrote one of them, 1 where none did
 * @throws CommandLineError with exit code 2
 */
export async function explainFile(
  context: CommandContext,
  asked: string,
  paths: readonly string[],
  options: WhyOptions,
): Promise<number> {
  const { parts, terminal } = context;
  const { commit, filter, json = false } = options;
  checkFilter(filter);
  const [, name = asked, from, to] = LINES.exec(asked) ?? [];
  const [line, toLine] = [from, to].map((digits) => (digits === undefined ? undefined : Number(digits)));
  let isFound = false;
  try {
    const reading = parts.workspaceFiles().then((files) => files.read(name, { commit }));
    // Which sessions there are is found out meanwhile.
    const using = withHistories(context, paths, { ...options, readAhead: 0 }, async (useCases, signal) => {
      const { file, text, workspace, problem } = await reading;
      if (problem !== undefined) terminal.stderr.write(`${REPOSITORY_PROBLEMS[problem]}\n`);
      const ask = (whileUnread: "lines" | "nothing") =>
        useCases.explainLines.execute(
          { file, text, workspace, line, toLine, filter, whileUnread },
          { signal },
        );
      const showProgress = (shown: string) => {
        if (terminal.stderr.isTTY) terminal.stderr.write(redrawn(shown));
      };
      const known = await untilRead(
        () => ask("nothing"),
        ({ coverage: { unread } }) => {
          if (unread === 0) return undefined;
          showProgress(`Reading what sessions edited: ${countText(unread, "session")} to go`);
          return unread;
        },
        signal,
      );
      const answer = known.coverage.unread === 0 ? known : await ask("lines");
      showProgress("");
      isFound = answer.blocks.some(({ candidates }) => candidates.length > 0);
      const shown = json ? `${visibleJson(JSON.stringify(answer))}\n` : whyText(answer);
      await print(terminal, shown, signal);
    });
    // What is wrong with the file is said first.
    for (const one of await Promise.allSettled([reading, using]))
      if (one.status === "rejected") throw one.reason;
  } catch (error) {
    const message = problemOf(error, name);
    if (message === undefined) throw error;
    throw new CommandLineError(visibleText(message), { cause: error, exitCode: FAILED });
  }
  return isFound ? 0 : 1;
}

function problemOf(error: unknown, file: string): string | undefined {
  if (error instanceof WorkspaceFileError) return error.message;
  if (!(error instanceof CommandLineError)) return undefined;
  const { cause, message } = error;
  return cause instanceof InvalidRequestError && cause.parameter === "line"
    ? `${file}: the ${message}`
    : message;
}
