import { availableParallelism, homedir } from "node:os";
import path from "node:path";
import { DOWNLOAD_COMMAND } from "../adapters/cli/commands/mcp-setup-command.js";
import type { CommandLineParts, InspectorOptions, SupportedSource } from "../adapters/cli/opening/parts.js";
import { isFile, isFolder, statOf } from "../adapters/cli/opening/supported-sources.js";
import { CommandLineError, codeOf } from "../adapters/cli/text/terminal.js";
import { matchingFiles } from "../adapters/formats/matching-files.js";
import { HISTORY_FORMATS, type ReadableFormat } from "../adapters/formats/registry.js";
import type { ModelPrices } from "../adapters/prices/own-prices.js";
import type { TranscriptFolder } from "../adapters/transcripts/folder/format.js";
import { ArchiveError } from "../application/errors.js";
import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";
import { runInSlices } from "../application/threads/slices.js";
import { visibleText } from "../domain/text/visible-text.js";

// Loading modules takes most of the start: threads begin first, and unused modules are not loaded.

export const COMMAND_LINE_PARTS: CommandLineParts = {
  sources: supportedSources,
  async loadPlugins(modules) {
    const formats = await (await import("./load-plugins.js")).loadPlugins(modules);
    return formats.map((format) => historySource(format, process.env, homedir()));
  },
  combine: async (sources, options) =>
    (await import("./combine-data-sources.js")).combineDataSources(sources, options),
  async openPool() {
    const { ThreadPool } = await import("../adapters/files/threads/thread-pool.js");
    const pool = new ThreadPool(availableParallelism(), "keeping");
    pool.begin();
    return pool;
  },
  pricesOf: async (prices) =>
    (await import("../adapters/prices/price-table.js")).priceTableOf(
      prices as ModelPrices | false | undefined,
    ),
  rulesOf: async (file) => (await import("../adapters/redaction/own-rules.js")).ownRulesIn(file),
  async useCases(source, options) {
    const { TOKENS, useCasesOf } = await import("./container.js");
    const inspector = await inspectorOf(source, options);
    if (options.cachedEdits !== undefined) {
      const { dir, owner } = options.cachedEdits;
      const { cachedEditsIn } = await import("../adapters/cached-edits/edits-on-disk.js");
      inspector.register(TOKENS.cachedEdits, { useValue: cachedEditsIn(dir, owner) });
    }
    return useCasesOf(inspector);
  },
  async inspectorApp(source, options) {
    const [{ Hono }, { INSPECTOR_PATH }, { createInspectorRoute }, { createInspectorUi }, { TOKENS }] =
      await Promise.all([
        import("hono"),
        import("./create-inspector-route.js"),
        import("./threaded-inspector.js"),
        import("../adapters/web-ui/inspector-ui.js"),
        import("./container.js"),
      ]);
    const inspector = await inspectorOf(source, options);
    // While files are read: the first list would wait for them.
    inspector.resolve(TOKENS.callPricing).prepare();
    return new Hono().route(INSPECTOR_PATH, createInspectorRoute(inspector)).route("/", createInspectorUi());
  },
  agentApp: async (agentUrl, headers) =>
    (await import("../adapters/web-ui/agent-proxy.js")).createRemoteInspectorUi(agentUrl, { headers }),
  async writeDemo(dataDir) {
    const [{ startDemo }, { createFilesystemSessionStore }] = await Promise.all([
      import("../demo/write-demo.js"),
      import("./filesystem-session-store.js"),
    ]);
    const store = createFilesystemSessionStore(dataDir);
    try {
      const live = await startDemo(store);
      return async () => {
        await live.stop();
        await store.close?.();
      };
    } catch (error) {
      await store.close?.();
      throw error;
    }
  },
  openReceiver: async (options) => (await import("./otlp-receiver.js")).createOtlpReceiver(options),
  loadMcp,
  workspaceFiles: async () =>
    (await import("../adapters/workspace/workspace-files.js")).workspaceFiles(process.cwd()),
  sizeOfCache: async (dir) => runInSlices((await cacheFolder()).sizeOfCache(dir)),
  clearCache: async (dir) => runInSlices((await cacheFolder()).clearCache(dir)),
  openDatabase: async (connectionString) => (await postgres()).createPostgresDataSource({ connectionString }),
  migrate: async (options) => (await postgres()).migratePostgres(options),
  keep: async (folders, options) =>
    (await import("../adapters/keep/keep-histories.js")).keepHistories(folders, options),
  importSessions: async (source, options) => (await postgres()).importIntoPostgres(source, options),
};

const cacheFolder = () => import("../adapters/files/cache/cache-folder.js");
const postgres = () => import("./postgres.js");

/** Only this command needs the package, so it is not a dependency of other installations. */
const MCP = "@modelcontextprotocol/server";

async function loadMcp() {
  try {
    return (await import("../adapters/mcp/mcp-server.js")).serveMcp;
  } catch (error) {
    if (codeOf(error) !== "ERR_MODULE_NOT_FOUND" || !String(error).includes(`'${MCP}'`)) throw error;
    throw new CommandLineError(
      `The MCP server needs a package that is not installed: ${MCP}@2.\n` +
        `Without an installation:      ${DOWNLOAD_COMMAND.join(" ")}\n` +
        `Where agent-inspector lies:   npm install ${MCP}@2 (with -g for a global installation)`,
      { cause: error },
    );
  }
}

async function inspectorOf(source: InspectorDataSource, { pool, prices, rules }: InspectorOptions) {
  const [{ createInspectorContainer }, { TOKENS }] = await Promise.all([
    import("./threaded-container.js"),
    import("./container.js"),
  ]);
  const inspector = createInspectorContainer(source, { pool, redactionRules: rules });
  return inspector.register(TOKENS.priceTable, { useValue: prices });
}

export function supportedSources(env = process.env, home = homedir()): readonly SupportedSource[] {
  return [
    {
      name: "data",
      title: "Data directory",
      kind: "data directory",
      required: 'folder "tenants" in it',
      place: "./data",
      placeText: "./data",
      inside: ["data"],
      isAnyDepth: false,
      takesFiles: false,
      isOfMachine: false,
      recognises: (folder) => isFolder(path.join(folder, "tenants")),
      tenantIn: async (folder, part) =>
        path.dirname(part) === path.resolve(folder, "tenants") ? path.basename(part) : undefined,
      open: async (folder, options) =>
        (await import("./filesystem-data-source.js")).createFilesystemInspectorDataSource(folder, {
          ...options,
          showPath: true,
        }),
      listFiles: async (folder, tenants = ["*"]) => runInSlices(dataFiles(path.resolve(folder), tenants)),
    },
    ...HISTORY_FORMATS.map((format) => historySource(format, env, home)),
    {
      name: "otlp",
      title: "OpenTelemetry",
      kind: "folder of OpenTelemetry traces",
      required: "file in it of OTLP JSON or JSON Lines (.json, .jsonl)",
      place: "./otlp",
      placeText: "./otlp",
      inside: [],
      isAnyDepth: true,
      takesFiles: true,
      isOfMachine: false,
      recognises: async (folder) =>
        runInSlices((await import("../adapters/otlp/otlp-shape.js")).recognisesOtlp(folder)),
      open: async (directory, { pool, readAhead, onProgress }) =>
        (await import("./otlp-data-source.js")).createOtlpDataSource({
          directory,
          pool,
          readAhead,
          onProgress,
          showPath: true,
        }),
      listFiles: async (folder) => ({
        files: await runInSlices((await import("../adapters/otlp/otlp-shape.js")).spanFilesIn(folder)),
        problems: [],
      }),
    },
    {
      name: "export",
      title: "Exported sessions",
      kind: "file of exported sessions",
      required: "file (.html, .jsonl) that was exported",
      placeText: "where it is named",
      inside: [],
      isAnyDepth: false,
      takesFiles: true,
      isOfMachine: false,
      recognises: async (place) =>
        (await isFile(place)) &&
        (await (await import("../adapters/archive-files/read-archive-file.js")).archiveFormOf(place)) !==
          undefined,
      open: (file) => openArchiveFile(file),
      ownPrices: async (file) =>
        (await (await import("../adapters/archive-files/read-archive-file.js")).archiveHeadIn(file)).prices,
      listFiles: async (file) => ({ files: [{ path: path.resolve(file) }], problems: [] }),
    },
  ];
}

/** @throws CommandLineError for a file that cannot be opened */
async function openArchiveFile(file: string): Promise<InspectorDataSource> {
  const [{ readArchiveFile }, { openArchive }] = await Promise.all([
    import("../adapters/archive-files/read-archive-file.js"),
    import("../adapters/archive/archive-source.js"),
  ]);
  try {
    return (await openArchive(readArchiveFile(file))).source;
  } catch (error) {
    const why = error instanceof ArchiveError ? error.message : codeOf(error);
    if (why === undefined) throw error;
    throw new CommandLineError(`"${visibleText(file)}" cannot be opened. ${why}`, { cause: error });
  }
}

function historySource(format: ReadableFormat, env: NodeJS.ProcessEnv, home: string): SupportedSource {
  const { name, title, kind, required, inside } = format;
  return {
    name,
    title,
    kind,
    required,
    inside,
    isAnyDepth: format.isAnyDepth === true,
    place: format.place(env, home),
    placeText: format.placeText.replaceAll("`", ""),
    versions: [format.versions, ...(format.claim === "full" ? [] : [format.claim])]
      .filter(Boolean)
      .join(", "),
    takesFiles: true,
    isOfMachine: true,
    async recognises(place) {
      if ((await statOf(path.resolve(place))) === undefined) return false;
      return (await import("./open-histories.js")).recognisesHistories(format, place);
    },
    async tenantIn(place, part) {
      const { folder } = (await format.load()).format;
      return runInSlices(tenantIn(folder, path.resolve(place), part));
    },
    async listFiles(place, tenants) {
      const { folder } = (await format.load()).format;
      const named = path.resolve(place);
      const onlyFile = (await isFile(named)) ? named : undefined;
      const root = onlyFile === undefined ? named : path.dirname(named);
      const { historyFiles } = await import("../adapters/formats/history-files.js");
      return runInSlices(historyFiles(root, { folder, beside: format.beside ?? [], onlyFile, tenants }));
    },
    open: async (place, options) =>
      (await import("./open-histories.js")).openFormat(format, place, { ...options, showPath: true }),
  };
}

function* tenantIn(
  folder: TranscriptFolder,
  root: string,
  part: string,
): Generator<void, string | undefined> {
  const name = path.basename(part);
  if (!(yield* folder.tenants(root)).includes(name)) return undefined;
  const sessions = yield* folder.discover(root, name);
  const files = sessions.flatMap((session) => session.files.map((file) => file.path));
  return files.length > 0 && files.every((file) => file.startsWith(part + path.sep)) ? name : undefined;
}

const SESSION_FILES = [
  "session.jsonl",
  "messages.jsonl",
  "messages.compactions/*.jsonl",
  "trace/events.jsonl",
  "orchestration/events.jsonl",
  "orchestration/checkpoint.json",
];

function* dataFiles(root: string, tenants: readonly string[]) {
  const files: { path: string }[] = [];
  for (const tenant of tenants) {
    for (const name of SESSION_FILES) {
      const matches = yield* matchingFiles(root, `tenants/${tenant}/sessions/*/${name}`);
      files.push(...matches.map((file) => ({ path: file })));
    }
  }
  return { files, problems: [] };
}
