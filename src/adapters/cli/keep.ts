import path from "node:path";
import { SourceUnavailableError } from "../../application/errors.js";
import type { KeepProgress, KeepReport, KeptFolder } from "../../domain/session/kept-histories.js";
import { COUNT, countText } from "../../domain/text/figure-texts.js";
import { visibleText } from "../../domain/text/visible-text.js";
import { type FoundFolder, foundFolders, noneFound, shortened } from "./open-source.js";
import type { CommandContext } from "./parts.js";
import { CommandLineError, codeOf, type Ending, onStop, orExplain } from "./terminal.js";
import { redrawn } from "./text.js";

export interface KeepArguments {
  /** The folder of the copies. */
  readonly to: string;
  readonly source?: string | undefined;
  readonly json?: boolean | undefined;
  readonly databaseUrl?: string | undefined;
}

/**
 * Copies the histories that were named, or all that are found.
 *
 * @returns 1 where something could not be copied
 * @throws CommandLineError where nothing can be: it says why
 */
export async function keepHistories(
  context: CommandContext,
  paths: readonly string[],
  { to, source, json, databaseUrl }: KeepArguments,
): Promise<Ending> {
  const { parts, terminal } = context;
  if (databaseUrl !== undefined) throw new CommandLineError("Files are kept, and a database is none.");
  const found = await foundFolders(context, paths, source);
  if (found.length === 0) throw noneFound(context);
  const stopped = new AbortController();
  onStop(terminal, () => stopped.abort(STOPPED));
  const folders: KeptFolder[] = [];
  for (const folder of found) folders.push(await filesOf(folder));
  const bar = keepBar(context);
  try {
    const options = { to, signal: stopped.signal, onProgress: bar.show };
    const report = await orExplain(() => parts.keep(folders, options), explained);
    bar.end();
    terminal.stdout.write(json ? `${JSON.stringify(report)}\n` : textOf(report));
    return report.sources.some(({ failed }) => failed.length > 0) ? 1 : 0;
  } finally {
    bar.end();
  }
}

const STOPPED = new CommandLineError("Stopped. The same command goes on from here.");

function explained(error: unknown): string | undefined {
  if (error instanceof SourceUnavailableError) return error.message;
  switch (codeOf(error)) {
    case "ENOSPC":
    case "EDQUOT":
      return "The disk is full. With more room, the same command goes on from here.";
    case "EACCES":
    case "EPERM":
    case "EROFS":
    case "ENOTDIR":
    case "EEXIST":
      return `The copies cannot be written (${codeOf(error)}: ${(error as NodeJS.ErrnoException).path}).`;
    default:
      return undefined;
  }
}

async function filesOf({ kind, folder, parts }: FoundFolder): Promise<KeptFolder> {
  const named = path.resolve(folder);
  const tenants = parts?.map(({ tenantId }) => tenantId);
  const { files, problems } = await kind.listFiles(named, tenants);
  // A file that was named by itself lies among others, of which nothing is known.
  const isFile = files.some((file) => file.path === named);
  const root = isFile ? path.dirname(named) : named;
  const within = parts?.map((part) =>
    path.relative(root, path.resolve(part.folder)).split(path.sep).join("/"),
  );
  return { kind: kind.name, root, files, problems, within: isFile ? [] : within };
}

function textOf({ sources }: KeepReport): string {
  const lines: string[] = [];
  for (const { from, to, copied, unchanged, kept, failed } of sources) {
    const counts = `${countText(copied.files, "file")} copied (${megabytes(copied.bytes)}), ${COUNT.format(unchanged.files)} unchanged`;
    lines.push(`${shortened(from)} -> ${shortened(to)}: ${counts}`);
    for (const { file, outcome, earlier } of kept)
      lines.push(`  ${visibleText(file)} ${WORDS[outcome]}${earlier ? visibleText(earlier) : ""}`);
    for (const { file, reason } of failed)
      lines.push(`  ${visibleText(`${file} was not copied: ${reason}`)}`);
  }
  return `${lines.join("\n")}\n`;
}

const WORDS = {
  deleted: "was deleted since; its copy stays",
  cut: "is shorter than its copy, which stays",
  replaced: "is another file now; the copy of before lies in ",
} as const;

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;

const EVERY_MS = 100;

/** Draws how far a copying is, in a terminal. */
function keepBar({ terminal: { stderr } }: CommandContext) {
  let shownAt = Number.NEGATIVE_INFINITY;
  let isOpen = false;
  return {
    show({ files, totalFiles, bytes, totalBytes }: KeepProgress) {
      const now = performance.now();
      if (stderr.isTTY !== true || (files < totalFiles && now - shownAt < EVERY_MS)) return;
      shownAt = now;
      isOpen = true;
      const amounts = `${megabytes(bytes)} of ${megabytes(totalBytes)}`;
      stderr.write(
        redrawn(`Copying: ${COUNT.format(files)} of ${countText(totalFiles, "file")}, ${amounts}`),
      );
    },
    end() {
      if (isOpen) stderr.write("\n");
      isOpen = false;
    },
  };
}
