import { statSync } from "node:fs";
import path from "node:path";
import { checkFileSource, FILE_SOURCE_OPTIONS } from "../adapters/files/catalog/file-source-options.js";
import { customFormat, type FormatDefinition } from "../adapters/formats/define-format.js";
import { loadFormat } from "../adapters/formats/load-format.js";
import { HISTORY_FORMATS, type ReadableFormat } from "../adapters/formats/registry.js";
import {
  TranscriptDataSource,
  type TranscriptOptions,
} from "../adapters/transcripts/source/transcript-data-source.js";
import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";
import { asDataSource } from "../application/sources/lift.js";
import { runInSlices } from "../application/threads/slices.js";
import { checkOptions, type OptionTable } from "../domain/options/check-options.js";
import { FOLDER, LIST, required, TEXT } from "../domain/options/option-kinds.js";
import { visibleText } from "../domain/text/visible-text.js";

/**
 * Reads the histories of a tool by its name (`docs/formats.md`), also while the tool writes them. Loads the code of the format.
 * @param format such as `"copilot-cli"`
 * @param place the folder where the tool stores its histories, or one file of them
 * @throws TypeError if the name is not a format, if the place is not a path, or if an option is invalid
 * @throws RangeError if a number is out of range
 * @example
 * const source = await openHistories("opencode", path.join(homedir(), ".local", "share", "opencode"));
 * app.route(INSPECTOR_PATH, createInspectorRoute(source));
 */
export async function openHistories(
  format: string,
  place: string,
  options: TranscriptOptions = {},
): Promise<InspectorDataSource> {
  const settings = checkFileSource("place", place, options);
  return openFormat(formatNamed(format, HISTORY_FORMATS), place, settings);
}

export interface CustomHistoriesOptions extends TranscriptOptions {
  /** The folder where the tool stores its histories, or one file of them. */
  readonly folder: string;
  /** Id of the format. Default is the format that recognises the content of the folder. */
  readonly format?: string | undefined;
  /**
   * Formats besides the built-in ones. A URL is the address of a module whose default export is a format: a worker thread reads with it. A
   * definition is read with on the event loop of the host, in slices of a few milliseconds. Default is an empty list.
   */
  readonly formats?: readonly (FormatDefinition | URL)[] | undefined;
}

const OPTIONS = {
  ...FILE_SOURCE_OPTIONS,
  folder: required(FOLDER),
  format: TEXT,
  formats: LIST,
} satisfies OptionTable<CustomHistoriesOptions>;

/**
 * Reads histories with formats of your own besides the built-in ones, also while the tool writes them. The data of a custom format is not
 * stored in `cacheDir`, because nothing there depends on its code. It does not use `pool`: its code would stop other sources.
 * @throws TypeError for an unknown option or one of another kind, for two formats with one id, and if no format, or more than one,
 * recognises the folder
 * @throws RangeError if a number is out of range
 * @throws what the module of a format throws
 * @example
 * const source = await createHistoriesDataSource({ folder: "./quill", formats: [new URL("./quill-format.js", import.meta.url)] });
 * app.route(INSPECTOR_PATH, createInspectorRoute(source));
 */
export async function createHistoriesDataSource(
  options: CustomHistoriesOptions,
): Promise<InspectorDataSource> {
  const { folder, format, formats = [], ...settings } = checkOptions(OPTIONS, options);
  const custom: ReadableFormat[] = [];
  for (const one of formats) custom.push(one instanceof URL ? await loadFormat(one) : customFormat(one));
  refuseRepeated(custom);
  const all = [...custom, ...HISTORY_FORMATS];
  const row = format === undefined ? await formatOf(folder, all) : formatNamed(format, all);
  return openFormat(row, folder, settings);
}

/** @throws TypeError for two formats with one id */
export function refuseRepeated(formats: readonly ReadableFormat[]): void {
  for (const [i, { name }] of formats.entries())
    if (formats.findIndex((other) => other.name === name) !== i)
      throw new TypeError(`Two formats have the id "${name}". Choose another one for one of them.`);
}

export async function openFormat(
  row: ReadableFormat,
  place: string,
  options: TranscriptOptions,
): Promise<InspectorDataSource> {
  const { tasks } = await row.load();
  const { pool: _, cacheDir: __, ...own } = options;
  const threads = tasks.open.module === undefined ? false : own.threads;
  const settings = row.isCustom ? { ...own, threads } : options;
  return asDataSource(new TranscriptDataSource(place, tasks, settings, row));
}

/** Decided by the content, never by names alone. False for a place that does not exist. */
export async function recognisesHistories(row: ReadableFormat, place: string): Promise<boolean> {
  const root = path.resolve(place);
  const stats = statSync(root, { throwIfNoEntry: false });
  if (stats === undefined || !(stats.isDirectory() || stats.isFile())) return false;
  const { folder } = (await row.load()).format;
  if (stats.isDirectory()) return runInSlices(folder.recognises(root));
  return (await runInSlices(folder.inFile(path.dirname(root), root))) !== undefined;
}

async function formatOf(folder: string, formats: readonly ReadableFormat[]): Promise<ReadableFormat> {
  const matches: ReadableFormat[] = [];
  for (const one of formats) if (await recognisesHistories(one, folder)) matches.push(one);
  const [row, another] = matches;
  if (row !== undefined && another === undefined) return row;
  const names = (matches.length === 0 ? formats : matches).map(({ name }) => name).join(", ");
  throw new TypeError(
    `${matches.length === 0 ? "No format recognises" : "Several formats recognise"} the content of \`folder\`. Name one as \`format\`: ${names}.`,
  );
}

function formatNamed(name: string, formats: readonly ReadableFormat[]): ReadableFormat {
  const row = formats.find((one) => one.name === name);
  if (row !== undefined) return row;
  const names = formats.map((one) => one.name).join(", ");
  throw new TypeError(`There is no format "${visibleText(String(name))}". There are ${names}.`);
}
