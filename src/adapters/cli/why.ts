import { InvalidRequestError } from "../../application/errors.js";
import { WorkspaceFileError } from "../../application/ports/workspace-files.js";
import { visibleJson, visibleText } from "../../domain/text/visible-text.js";
import { checkFilter, FAILED } from "./filter-option.js";
import { type HistoriesOptions, withHistories } from "./histories.js";
import type { CommandContext } from "./parts.js";
import { CommandLineError, print } from "./terminal.js";
import { countText, redrawn } from "./text.js";
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
    const { file, text, workspace } = await (await parts.workspaceFiles()).read(name, { commit });
    const request = { file, text, workspace, line, toLine, filter };
    await withHistories(context, paths, options, async ({ explainLines }, signal) => {
      const showProgress = (shown: string) => {
        if (terminal.stderr.isTTY) terminal.stderr.write(redrawn(shown));
      };
      const answer = await untilRead(
        () => explainLines.execute(request, { signal }),
        ({ coverage: { unread } }) => {
          if (unread === 0) return undefined;
          showProgress(`Reading what sessions edited: ${countText(unread, "session")} to go`);
          return unread;
        },
        signal,
      );
      showProgress("");
      isFound = answer.blocks.some(({ candidates }) => candidates.length > 0);
      const shown = json ? `${visibleJson(JSON.stringify(answer))}\n` : whyText(answer);
      await print(terminal, shown, signal);
    });
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
