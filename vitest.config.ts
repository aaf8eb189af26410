import { defineConfig } from "vitest/config";

/** What takes the build, a server, processes, a database or many seconds. Every other test is a unit test. */
const INTEGRATION = [
  "src/composition/cli/{compare-command,list-command,main,search-command,summary-command}.test.ts",
  "test/mcp/mcp-command.test.ts",
  "test/{docs,package,postgres}/**/*.test.ts",
  "test/data-source-contract.test.ts",
  "test/use-cases/naive-search.test.ts",
  "test/http/{agent-proxy,changing-directory,hostile-sources,nested-records,server,streaming,ways-round-access,web-ui}.test.ts",
  "test/cache/*.test.ts",
  "test/support/count-file-calls.test.ts",
  "test/filesystem/{changing-files,closing,search-candidates,killed-writer,many-writers,session-status,session-store,swapped-links,thread-pool,links,live-directory,many-sessions,naive-equality,odd-histories}.test.ts",
  "test/codex/{derived,golden-summaries}.test.ts",
  "test/claude-code/{changing-files,contract,search-candidates,derived,file-calls,golden-summaries,large-session,live-folder,odd-lines,real-histories,bounded}.test.ts",
  "test/gemini-cli/derived.test.ts",
  "test/otlp-receiver/{collect,exporters}.test.ts",
];
const BROWSER = ["ui/test/**/*.test.ts"];

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
          exclude: INTEGRATION,
        },
      },
      { extends: true, test: { name: "integration", include: INTEGRATION, ...BUILT } },
      { extends: true, test: { name: "browser", include: BROWSER, ...BUILT } },
    ],
  },
});
