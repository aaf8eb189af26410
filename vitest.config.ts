import path from "node:path";
import { pathToFileURL } from "node:url";
import { defineConfig, type Plugin } from "vitest/config";

/** What takes threads that are loaded, processes, a server or a database. */
const INTEGRATION = "{src,test}/**/*.integration.test.ts";
/** Those that share a PostgreSQL server. */
const POSTGRES = "test/postgres/**/*.integration.test.ts";
/** What takes minutes: `npm run test:soak`. */
const SOAK = "{src,test,ui/test}/**/*.soak.test.ts";
/** What installs packages: `npm run check:release`. */
const RELEASE = "test/**/*.release.test.ts";

export default defineConfig({
  plugins: [builtModules()],
  test: {
    // Threads run what `npm run build` makes, as they do in production: loading TypeScript would cost each of them a second.
    globalSetup: ["test/support/build.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is waited for comes at once, but for a machine that is busy.
    expect: { poll: { timeout: 10_000 } },
    maxWorkers: 2,
    // The files of a project share its processes: what a test starts it ends, and what it replaces it puts back.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["{src,test,examples,ui/src}/**/*.test.ts"],
          exclude: [INTEGRATION, SOAK, RELEASE],
        },
      },
      { extends: true, test: { name: "integration", include: [INTEGRATION], exclude: [POSTGRES] } },
      {
        extends: true,
        test: { name: "postgres", include: [POSTGRES], globalSetup: ["test/support/shared-postgres.ts"] },
      },
      { extends: true, test: { name: "browser", include: ["ui/test/**/*.test.ts"], exclude: [SOAK] } },
      { extends: true, test: { name: "soak", include: [SOAK], testTimeout: 600_000 } },
      { extends: true, test: { name: "release", include: [RELEASE] } },
    ],
  },
});

/** Lets the modules of `src` name their built selves where they name themselves: to a thread, and to find files beside them. */
function builtModules(): Plugin {
  const sources = path.resolve(import.meta.dirname, "src");
  return {
    name: "built-modules",
    enforce: "pre",
    transform(code, id) {
      if (!id.startsWith(sources) || id.endsWith(".test.ts") || !code.includes("import.meta.url")) return;
      const built = path
        .resolve(import.meta.dirname, "dist/src", path.relative(sources, id))
        .replace(/\.ts$/, ".js");
      return {
        code: code.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(built).href)),
        map: null,
      };
    },
  };
}
