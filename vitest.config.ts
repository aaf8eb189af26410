import { existsSync } from "node:fs";
import path from "node:path";
import { defineConfig, type Plugin } from "vitest/config";

/** What takes threads that are loaded, processes, a server or a database. */
const INTEGRATION = "{src,test,examples}/**/*.integration.test.ts";
/** Those that share a PostgreSQL server. */
const POSTGRES = "test/postgres/**/*.integration.test.ts";
/** What takes minutes: `npm run test:soak`. */
const SOAK = "{src,test,examples,ui/test}/**/*.soak.test.ts";
/** What installs packages: `npm run check:release`. */
const RELEASE = "test/**/*.release.test.ts";

export default defineConfig({
  plugins: [builtModules()],
  test: {
    // Tests and their threads run what `npm run build` makes, as in production.
    globalSetup: ["test/support/build.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is waited for comes at once, but for a machine that is busy.
    expect: { poll: { timeout: 10_000 } },
    // One more than the processors that it is made for: the page's tests wait for it.
    maxWorkers: 3,
    // The files of a project share its processes: what a test starts it ends, and what it replaces it puts back.
    isolate: false,
    server: { deps: { external: [/\/dist\/src\//] } },
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

/** Has tests load the modules of `src` as they were built, without another compiler: as they are in production, and in threads. */
function builtModules(): Plugin {
  const sources = path.resolve(import.meta.dirname, "src");
  return {
    name: "built-modules",
    enforce: "pre",
    async resolveId(id, importer) {
      const resolved = await this.resolve(id, importer, { skipSelf: true });
      if (!resolved?.id.startsWith(sources)) return resolved;
      const built = path
        .resolve(import.meta.dirname, "dist/src", path.relative(sources, resolved.id))
        .replace(/\.ts$/, ".js");
      return existsSync(built) ? built : resolved;
    },
  };
}
