import { ownModule } from "../../application/ports/reading-pool.js";
import { customFormat, type FormatDefinition } from "./define-format.js";
import type { ReadableFormat } from "./registry.js";

/**
 * Runs a module, and reads its default export. Threads import it, too.
 * @throws TypeError if the default export is missing, or is no format
 * @throws what the module throws
 */
export async function loadFormat(module: URL): Promise<ReadableFormat> {
  const loaded = (await import(module.href)) as { readonly default?: FormatDefinition };
  if (loaded.default === undefined)
    throw new TypeError("It has no default export. Export the result of defineFormat as the default.");
  return customFormat(loaded.default, stepsOf(module));
}

/** `undefined` in a bundle: threads cannot import a part of it. */
function stepsOf(module: URL): string | undefined {
  const own = ownModule(import.meta.url, "load-format");
  if (own === undefined) return undefined;
  const steps = new URL("./custom-steps.js", import.meta.url);
  steps.searchParams.set("module", module.href);
  return steps.href;
}
