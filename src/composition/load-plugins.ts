import { statSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { isModulePath } from "../adapters/cli/opening/option-file.js";
import { CommandLineError, codeOf } from "../adapters/cli/text/terminal.js";
import { loadFormat } from "../adapters/formats/load-format.js";
import type { ReadableFormat } from "../adapters/formats/registry.js";
import { faultText } from "../application/errors.js";
import { visibleText } from "../domain/text/visible-text.js";
import { refuseRepeated } from "./open-histories.js";

/**
 * Runs modules that a person typed.
 * @param modules paths of files, or names of packages that are installed here or beside this package
 * @throws CommandLineError for a module that is missing, fails, or is no format
 */
export async function loadPlugins(modules: readonly string[]): Promise<readonly ReadableFormat[]> {
  const formats: ReadableFormat[] = [];
  for (const module of modules) {
    const address = addressOf(module);
    try {
      if (address === undefined) throw new TypeError("There is no such file, and no such package.");
      formats.push(await loadFormat(address));
      refuseRepeated(formats);
    } catch (error) {
      const code = error instanceof Error ? codeOf(error) : undefined;
      const why = code ?? (error instanceof TypeError ? error.message : faultText(error));
      throw new CommandLineError(`The plugin "${visibleText(module)}" cannot be used. ${why}`, {
        cause: error,
      });
    }
  }
  return formats;
}

const IS_PACKAGE = /^(?:@[\w.-]+\/)?[\w-][\w.-]*(?:\/[\w.-]+)*$/;

function addressOf(module: string): URL | undefined {
  const file = path.resolve(module);
  if (isModulePath(module))
    return statSync(file, { throwIfNoEntry: false })?.isFile() ? pathToFileURL(file) : undefined;
  return IS_PACKAGE.test(module) ? (besideThis(module) ?? inFolder(module)) : undefined;
}

function besideThis(name: string): URL | undefined {
  try {
    const address = new URL(import.meta.resolve(name));
    return address.protocol === "file:" && statSync(address, { throwIfNoEntry: false }) ? address : undefined;
  } catch {
    return undefined;
  }
}

function inFolder(name: string): URL | undefined {
  try {
    const file = createRequire(path.resolve("plugin.js")).resolve(name);
    return path.isAbsolute(file) ? pathToFileURL(file) : undefined;
  } catch {
    return undefined;
  }
}
