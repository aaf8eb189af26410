import { homedir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { isDeepStrictEqual } from "node:util";
import { createTwoFilesPatch } from "diff";
import { visibleLines, visibleText } from "../../domain/text/visible-text.js";
import { readSettings, type SettingsFile, writeSettings } from "./mcp-setup-file.js";
import {
  jsonEntry,
  jsonFile,
  UnreadableSettingsError,
  withJsonEntry,
  withoutJsonEntry,
} from "./mcp-setup-json.js";
import {
  ENTRY_NAME,
  type McpClient,
  type SetupPlace,
  type SetupScope,
  setupPlace,
} from "./mcp-setup-places.js";
import { tomlEntry, tomlFile, withoutTomlEntry, withTomlEntry } from "./mcp-setup-toml.js";
import type { CommandContext } from "./parts.js";
import { CommandLineError, type Terminal } from "./terminal.js";

export interface McpSetupOptions {
  readonly setup: McpClient;
  readonly scope: SetupScope;
  /** Takes the entry out again. */
  readonly undo?: boolean | undefined;
  /** Writes without asking. */
  readonly yes?: boolean | undefined;
  /** What the server is to answer. */
  readonly metadataOnly?: boolean | undefined;
}

/**
 * Writes the server into the settings of a coding agent's tool, or takes it out again. It shows the file and what changes in it, asks, and
 * changes nothing else of it.
 *
 * @param paths which folders the server is to read
 * @throws CommandLineError where the settings cannot be changed, and where nobody can be asked
 */
export async function setUpMcp(
  { terminal, end }: CommandContext,
  paths: readonly string[],
  { setup, scope, undo = false, yes = false, metadataOnly = false }: McpSetupOptions,
): Promise<void> {
  const { env, platform } = process;
  const more = [...paths.map((one) => path.resolve(one)), ...(metadataOnly ? ["--metadata-only"] : [])];
  const place = await setupPlace(setup, scope, more, { home: homedir(), cwd: process.cwd(), env, platform });
  const settings = await readSettings(place.file);
  const change = changeOf(settings, place, undo);
  const file = visibleText(settings.file);
  if (change.after === settings.text) {
    terminal.stdout.write(
      undo ? `There is no ${ENTRY_NAME} in ${file}.\n` : `${ENTRY_NAME} is in ${file} already.\n`,
    );
    return;
  }
  if (change.isOther)
    terminal.stdout.write(
      `There is another ${ENTRY_NAME} in ${file}: this would ${undo ? "take it out" : "replace it"}.\n`,
    );
  terminal.stdout.write(`${shownChange(settings, change.after, file)}\n`);
  if (!yes && !(await isAgreed(terminal))) {
    terminal.stdout.write("Nothing was changed.\n");
    end(1);
    return;
  }
  await writeSettings(settings, change.after, scope === "user" ? 0o600 : 0o644);
  terminal.stdout.write(doneText(setup, scope, file, undo));
}

interface Change {
  /** `undefined` where no file is left. */
  readonly after: string | undefined;
  /** Whether an entry of that name is another command. */
  readonly isOther: boolean;
}

function changeOf({ file, text }: SettingsFile, place: SetupPlace, undo: boolean): Change {
  const isToml = place.format === "toml";
  const own = isToml ? tomlFile(place) : jsonFile(place);
  if (text === undefined) return { after: undo ? undefined : own, isOther: false };
  try {
    const known = isToml ? tomlEntry(text, place) : jsonEntry(text, place);
    const isOther = known !== undefined && !isDeepStrictEqual(known, place.entry);
    // A file that holds nothing else was made by this command.
    if (undo && text === own) return { after: undefined, isOther };
    const write = isToml
      ? undo
        ? withoutTomlEntry
        : withTomlEntry
      : undo
        ? withoutJsonEntry
        : withJsonEntry;
    return { after: write(text, place), isOther };
  } catch (error) {
    if (!(error instanceof UnreadableSettingsError)) throw error;
    throw new CommandLineError(
      `${visibleText(file)} is not changed: ${error.message}. Mend it, or add the server there by hand: docs/mcp.md says how.`,
      { cause: error },
    );
  }
}

function shownChange({ text }: SettingsFile, after: string | undefined, file: string): string {
  const lines = (one = "") => one.replaceAll("\r\n", "\n");
  const [from, to] = [text === undefined ? "/dev/null" : file, after === undefined ? "/dev/null" : file];
  const patch = createTwoFilesPatch(from, to, lines(text), lines(after), undefined, undefined, {
    context: 2,
  });
  return visibleLines(patch.replace(/^(?:Index: .*\n)?=+\n/, "").trimEnd());
}

async function isAgreed({ stdin, stdout }: Terminal): Promise<boolean> {
  if (stdin?.isTTY !== true || stdout.isTTY !== true) {
    throw new CommandLineError(
      "Nothing was changed: there is no terminal to ask on. --yes writes it without asking.",
    );
  }
  const lines = createInterface({ input: stdin, output: stdout });
  try {
    return /^y(?:es)?$/i.test((await lines.question("Write this? [y/N] ")).trim());
  } finally {
    lines.close();
  }
}

const READ_BY: { readonly [client in McpClient]: string } = {
  "claude-code": "Claude Code",
  codex: "Codex",
  copilot: "Copilot",
  cursor: "Cursor",
  gemini: "Gemini CLI",
  opencode: "OpenCode",
};

function doneText(client: McpClient, scope: SetupScope, file: string, undo: boolean): string {
  if (undo) return `Taken out of ${file}.\n`;
  const again = `agent-inspector mcp --setup ${client}${scope === "user" ? "" : " --scope project"} --undo`;
  return `Written to ${file}. ${READ_BY[client]} starts it the next time it begins. To take it out again: ${again}\n`;
}
