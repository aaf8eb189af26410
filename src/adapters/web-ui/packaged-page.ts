import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Where this module is, as part of the package; what it becomes a part of in a bundle has another name. */
const OWN = /\/adapters\/web-ui\/packaged-page\.([jt]s)$/;

/**
 * The folder of this package that has the page's files; `undefined` where there is none: in a bundle that runs without its packages. Whether
 * the files are in it is not looked at.
 */
export function packagedPage(): string | undefined {
  // A bundle of CommonJS has no address; its packages are found from where it was started.
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
