import { defineConfig } from "vitest/config";

/** What takes the build, threads, processes, a server or a database. */
const INTEGRATION = "{src,test}/**/*.integration.test.ts";
/** What takes minutes: `npm run test:soak`. */
const SOAK = "{src,test,ui/test}/**/*.soak.test.ts";

/** Tests that run on what `npm run build` makes. */
const BUILT = { globalSetup: ["test/support/build.ts"], sequence: { groupOrder: 1 } };

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is waited for comes at once, but for a machine that is busy.
    expect: { poll: { timeout: 10_000 } },
    maxWorkers: 2,
    // The files of a project share its processes: what a test starts it ends, and what it replaces it puts back.
    isolate: false,
    execArgv: ["--import", new URL("test/support/typescript-loader.mjs", import.meta.url).href],
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["{src,test,examples,ui/src}/**/*.test.ts"],
          exclude: [INTEGRATION, SOAK],
        },
      },
      { extends: true, test: { name: "integration", include: [INTEGRATION], ...BUILT } },
      {
        extends: true,
        test: { name: "browser", include: ["ui/test/**/*.test.ts"], exclude: [SOAK], ...BUILT },
      },
    ],
  },
});
