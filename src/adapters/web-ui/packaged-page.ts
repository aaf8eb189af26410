import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Path of this module as part of the package; a bundle that includes it has another name. */
const OWN = /\/adapters\/web-ui\/packaged-page\.([jt]s)$/;

/**
 * Returns the folder of this package with the page's files; `undefined` in a bundle that runs without its packages. Does not check if the
 * files exist.
 */
export function packagedPage(): string | undefined {
  // A CommonJS bundle has no module URL; its packages are resolved from the folder in which it was started.
  const url: string | undefined = import.meta.url;
  const [, ending] = OWN.exec(url ?? "") ?? [];
  if (ending === "ts") return fileURLToPath(new URL("../../../dist/ui", url));
  // Spelt out, so that tools that trace which files a deployment needs find them; as an address a bundler would look for a module there.
  if (ending === "js") return path.join(path.dirname(fileURLToPath(import.meta.url)), "../../../ui");
  try {
    const { resolve } = createRequire(url?.startsWith("file:") ? url : path.join(process.cwd(), "any.js"));
    return path.join(path.dirname(resolve("agent-inspector/package.json")), "dist/ui");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}
