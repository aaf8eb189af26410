import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** This module inside the package; a bundle has another name. */
const OWN = /\/adapters\/web-ui\/packaged-page\.([jt]s)$/;

/** Folder with the page's files, which may not exist; `undefined` in a bundle without its packages. */
export function packagedPage(): string | undefined {
  // A CommonJS bundle has no module URL; its packages are resolved from the working directory.
  const url: string | undefined = import.meta.url;
  const [, ending] = OWN.exec(url ?? "") ?? [];
  if (ending === "ts") return fileURLToPath(new URL("../../../dist/ui", url));
  // Written out for tools that trace a deployment's files; as a URL a bundler would search for a module.
  if (ending === "js") return path.join(path.dirname(fileURLToPath(import.meta.url)), "../../../ui");
  try {
    const { resolve } = createRequire(url?.startsWith("file:") ? url : path.join(process.cwd(), "any.js"));
    return path.join(path.dirname(resolve("agent-inspector/package.json")), "dist/ui");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}
