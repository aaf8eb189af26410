import { homedir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { isDeepStrictEqual } from "node:util";
import { createTwoFilesPatch } from "diff";
import { visibleLines, visibleText } from "../../../domain/text/visible-text.js";
import type { ToolsOptions } from "../opening/histories.js";
import { isModulePath } from "../opening/option-file.js";
import type { CommandContext } from "../opening/parts.js";
import { CommandLineError, type Terminal } from "../text/terminal.js";
import { findServerCommand } from "./mcp-setup-command.js";
import { readSettings, type SettingsFile, writeSettings } from "./mcp-setup-file.js";
import { hasJsonHolder, jsonFile, readJsonEntry, withJsonEntry, withoutJsonEntry } from "./mcp-setup-json.js";
import {
  ENTRY_NAME,
  type McpClient,
  type SetupLocation,
  type SetupPlace,
  type SetupScope,
  setupPlace,
} from "./mcp-setup-places.js";
import { tomlEntry, tomlFile, withoutTomlEntry, withTomlEntry } from "./mcp-setup-toml.js";
import { UnreadableSettingsError } from "./unreadable-settings-error.js";

export interface McpSetupOptions extends ToolsOptions {
  readonly setup: McpClient;
  readonly scope: SetupScope;
  readonly undo?: boolean | undefined;
  readonly yes?: boolean | undefined;
}

/**
 * Prints the file and the change first, and asks. Everything else in the file stays the same.
 * @param paths the folders that the server will read
 * @throws CommandLineError if the settings cannot be changed, or if nobody can answer the question
 */
export async function setUpMcp(
  { terminal, end }: CommandContext,
  paths: readonly string[],
  { setup, scope, undo = false, yes = false, ...options }: McpSetupOptions,
): Promise<void> {
  const { env, platform } = process;
  const machine = { home: homedir(), cwd: process.cwd(), env, platform };
  const { command, advice } = await findServerCommand(scope, machine);
  const place = setupPlace(setup, scope, [...command, ...argumentsOf(paths, options)], machine);
  const settings = await settingsOf(place, undo);
  const change = changeOf(settings, place, undo);
  const file = visibleText(settings.file);
  if (change.after === settings.text) {
    terminal.stdout.write(
      undo ? `There is no ${ENTRY_NAME} in ${file}.\n` : `${ENTRY_NAME} is in ${file} already.\n`,
    );
    return;
  }
  const notes = [
    ...(settings.named === settings.file
      ? []
      : [`${visibleText(settings.named)}, which is a link to ${file}:`]),
    ...(change.isOther
      ? [`${file} has another ${ENTRY_NAME}: this ${undo ? "removes" : "replaces"} it.`]
      : []),
    ...(undo ? [] : [advice]),
  ];
  terminal.stdout.write([...notes, changeText(settings, change.after, file), ""].join("\n"));
  if (!yes && !(await isAgreed(terminal))) {
    terminal.stdout.write("Nothing was changed.\n");
    end(1);
    return;
  }
  await writeSettings(settings, change.after, scope === "user" ? 0o600 : 0o644);
  terminal.stdout.write(doneText(setup, scope, file, undo));
}

function argumentsOf(
  paths: readonly string[],
  { source, plugin = [], prices, cache, metadataOnly, databaseUrl }: ToolsOptions,
): string[] {
  if (databaseUrl !== undefined)
    throw new CommandLineError(
      "--setup does not write --database-url, because the address may hold a password. Add it to the entry by hand.",
    );
  return [
    ...paths.map((one) => path.resolve(one)),
    ...(source === undefined ? [] : ["--source", source]),
    ...plugin.flatMap((one) => ["--plugin", isModulePath(one) ? path.resolve(one) : one]),
    ...(typeof prices === "string" ? ["--prices", path.resolve(prices)] : []),
    ...(prices === false ? ["--no-prices"] : []),
    ...(cache === false ? ["--no-cache"] : []),
    ...(metadataOnly === true ? ["--metadata-only"] : []),
  ];
}

async function settingsOf(place: SetupPlace, undo: boolean): Promise<SettingsFile> {
  const all: SettingsFile[] = [];
  for (const file of place.files) {
    const settings = readSettings(file);
    all.push(await settings.catch((error) => Promise.reject(refusal(error, file, place, undo))));
  }
  const existing = all.filter(({ text }) => text !== undefined);
  const holder = existing.find(({ text }) => all.length > 1 && hasJsonHolder(text!, place));
  return holder ?? existing[0] ?? all[0]!;
}

interface Change {
  readonly after: string | undefined;
  readonly isOther: boolean;
}

function changeOf(settings: SettingsFile, place: SetupPlace, undo: boolean): Change {
  try {
    return place.format === "toml"
      ? tomlChange(settings.text, place, undo)
      : jsonChange(settings.text, place, undo);
  } catch (error) {
    throw refusal(error, settings.file, place, undo);
  }
}

function jsonChange(text: string | undefined, place: SetupPlace, undo: boolean): Change {
  const [location] = place.locations;
  if (text === undefined) return { after: undo ? undefined : jsonFile(location), isOther: false };
  const { value, location: fitting } = readJsonEntry(text, place);
  const isOther = value !== undefined && !isDeepStrictEqual(value, fitting.entry);
  if (!undo) return { after: isOther || value === undefined ? withJsonEntry(text, fitting) : text, isOther };
  if (value === undefined) return { after: text, isOther };
  // A file with nothing else was created by this command.
  const isOwnFile = text === jsonFile({ ...fitting, entry: value as SetupLocation["entry"] });
  return { after: isOwnFile ? undefined : place.locations.reduce(withoutJsonEntry, text), isOther };
}

function tomlChange(text: string | undefined, { locations: [location] }: SetupPlace, undo: boolean): Change {
  const own = tomlFile(location);
  if (text === undefined) return { after: undo ? undefined : own, isOther: false };
  const entry = tomlEntry(text, location);
  const isOther = entry !== undefined && entry.replaceAll("\r\n", "\n") !== own;
  const isOwnFile = text === entry;
  if (undo) return { after: isOwnFile ? undefined : withoutTomlEntry(text, location), isOther };
  if (entry !== undefined && !isOther) return { after: text, isOther };
  return { after: isOwnFile ? own : withTomlEntry(text, location), isOther };
}

function refusal(error: unknown, file: string, place: SetupPlace, undo: boolean): unknown {
  // The parser calls itself for each level, until the stack is full.
  const isDeep = error instanceof RangeError;
  if (!isDeep && !(error instanceof UnreadableSettingsError)) return error;
  const problem = isDeep ? "it is nested too deeply" : error.message;
  const [location] = place.locations;
  const byHand = undo
    ? `Remove ${ENTRY_NAME} there by hand.`
    : `Change that, or add this by hand:\n${place.format === "toml" ? tomlFile(location) : jsonFile(location)}`;
  const message = `${visibleText(file)} is not changed: ${problem}. ${byHand.trimEnd()}`;
  return new CommandLineError(message, { cause: error });
}

function changeText({ text }: SettingsFile, after: string | undefined, file: string): string {
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
      "Nothing was changed: there is no terminal for the question. --yes writes without it.",
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
  if (undo) return `Removed from ${file}.\n`;
  const again = `agent-inspector mcp --setup ${client}${scope === "user" ? "" : " --scope project"} --undo`;
  return `Written to ${file}. ${READ_BY[client]} reads it at its next start. To remove it: ${again}\n`;
}
