import path from "node:path";
import { SourceUnavailableError } from "../../../application/errors.js";
import type { KeepProgress, KeepReport, StoredFolder } from "../../../domain/session/history-files.js";
import { formatBytes, formatCount } from "../../../domain/text/figures.js";
import { visibleJson, visibleText } from "../../../domain/text/visible-text.js";
import { findFolders, type HistoryFolder, noHistories, shortened } from "../opening/open-source.js";
import type { CommandContext } from "../opening/parts.js";
import { progressOf } from "../opening/progress.js";
import { codeOf, type Ending, FAILED, orExplain, STOPPED, untilStopped } from "../text/terminal.js";

export interface KeepArguments {
  readonly to: string;
  readonly source?: string | undefined;
  readonly json?: boolean | undefined;
}

/**
 * @returns the exit code, or the signal that stopped it
 * @throws CommandLineError with the reason if nothing can be copied
 */
export async function keepHistories(
  context: CommandContext,
  paths: readonly string[],
  { to, source, json }: KeepArguments,
): Promise<Ending> {
  const { parts, terminal } = context;
  const bar = progressOf(context);
  const copy = async (signal: AbortSignal) => {
    const matches = await findFolders(context, paths, source);
    if (matches.length === 0) throw noHistories(context);
    const folders: StoredFolder[] = [];
    for (const folder of matches) folders.push(await filesOf(folder));
    const onProgress = (progress: KeepProgress) => bar.show(progressText(progress));
    const report = await orExplain(() => parts.keep(folders, { to, signal, onProgress }), explained);
    bar.end();
    terminal.stdout.write(json ? `${visibleJson(JSON.stringify(report))}\n` : textOf(report));
    return report.sources.some(({ failed }) => failed.length > 0) ? FAILED : 0;
  };
  const ending = await untilStopped(terminal, copy).finally(bar.end);
  if (typeof ending === "string") terminal.stderr.write(`${STOPPED}\n`);
  return ending;
}

function explained(error: unknown): string | undefined {
  if (error instanceof SourceUnavailableError) return error.message;
  switch (codeOf(error)) {
    case "ENOSPC":
    case "EDQUOT":
      return "The disk is full. Free some space, then repeat the command: it continues from here.";
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

async function filesOf({ kind, folder, parts }: HistoryFolder): Promise<StoredFolder> {
  const named = path.resolve(folder);
  const tenants = parts?.map(({ tenantId }) => tenantId);
  const { files, problems } = await kind.listFiles(named, tenants);
  const isFile = files.some((file) => file.path === named);
  const root = isFile ? path.dirname(named) : named;
  const within = parts?.map((part) =>
    path.relative(root, path.resolve(part.folder)).split(path.sep).join("/"),
  );
  return { kind: kind.name, root, files, problems, within: isFile ? [] : within };
}

function textOf({ sources }: KeepReport): string {
  const lines: string[] = [];
  for (const { from, to, copied, unchanged, kept: retained, failed } of sources) {
    const counts = `${formatCount(copied.files, "file")} copied (${formatBytes(copied.bytes)}), ${formatCount(unchanged.files)} unchanged`;
    lines.push(`${shortened(from)} -> ${shortened(to)}: ${counts}`);
    for (const { file, outcome, earlier } of retained)
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

function progressText({ files, totalFiles, bytes, totalBytes }: KeepProgress): string {
  const amounts = `${formatBytes(bytes)} of ${formatBytes(totalBytes)}`;
  return `Copying: ${formatCount(files)} of ${formatCount(totalFiles, "file")}, ${amounts}`;
}
