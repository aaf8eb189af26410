import type { Hono } from "hono";
import type { OwnRule } from "../../../application/ports/export.js";
import type { InspectorDataSource } from "../../../application/ports/inspector-data-source.js";
import type { ListProgress } from "../../../application/ports/list-progress.js";
import type { PriceTable } from "../../../application/ports/price-table.js";
import type { ReadingPool } from "../../../application/ports/reading-pool.js";
import type { WorkspaceFiles } from "../../../application/ports/workspace-files.js";
import type { InspectorUseCases } from "../../../application/questions/use-cases.js";
import type { InspectorAccess } from "../../../application/sources/scope.js";
import type { CombineOptions, NamedSource } from "../../../application/sources/source-part.js";
import type {
  HistoryFiles,
  KeepProgress,
  KeepReport,
  StoredFolder,
} from "../../../domain/session/history-files.js";
import type { SessionKey } from "../../../domain/session/session-key.js";
import type { Ending, Terminal } from "../text/terminal.js";

export interface CommandContext {
  readonly parts: CommandLineParts;
  readonly terminal: Terminal;
  readonly end: (ending: Ending) => void;
  /** Aborted when the reader of standard output is gone, or the disk is full. */
  readonly outputEnded: AbortSignal;
}

export interface CommandLineParts {
  sources(): readonly SupportedSource[];
  /**
   * Runs modules of other authors: files, or installed packages.
   * @throws CommandLineError for a module that is missing, or is no format
   */
  loadPlugins(modules: readonly string[]): Promise<readonly SupportedSource[]>;
  combine(sources: readonly NamedSource[], options: CombineOptions): Promise<InspectorDataSource>;
  openPool(): Promise<ReadingPool>;
  /** @throws TypeError for invalid prices */
  pricesOf(prices: unknown): Promise<PriceTable>;
  /** @throws AgentAppConfigurationError for invalid rules */
  rulesOf(file: unknown): Promise<readonly OwnRule[]>;
  useCases(source: InspectorDataSource, options: InspectorOptions): Promise<InspectorUseCases>;
  inspectorApp(source: InspectorDataSource, options: InspectorOptions): Promise<Hono>;
  /**
   * Serves the page for the API of an agent application elsewhere.
   * @throws TypeError for an invalid address or header
   */
  agentApp(agentUrl: string, headers: Readonly<Record<string, string>>): Promise<Hono>;
  /** One of the demo's sessions continues until the returned function is called. */
  writeDemo(dataDir: string): Promise<() => Promise<void>>;
  openReceiver(options: {
    readonly directory: string;
    readonly access: () => InspectorAccess;
    readonly onReceived: (received: SpanCounts) => void;
  }): Promise<{ readonly app: Hono; close(): Promise<void> }>;
  /**
   * Speaks MCP on standard input and output. `ended` resolves when the client has gone.
   * @throws CommandLineError if the package of the protocol is not installed
   */
  loadMcp(): Promise<
    (
      useCases: InspectorUseCases,
      options: {
        readonly version: string;
        readonly description: string;
        readonly metadataOnly?: boolean | undefined;
        readonly files?: WorkspaceFiles | undefined;
        readonly onError: (error: unknown, tool: string) => void;
      },
    ) => { readonly ended: Promise<void>; close(): Promise<void> }
  >;
  workspaceFiles(): Promise<WorkspaceFiles>;
  sizeOfCache(dir: string): Promise<CacheContents>;
  clearCache(dir: string): Promise<CacheContents>;
  openDatabase(connectionString: string): Promise<InspectorDataSource>;
  /** @returns the versions of the schema, and the state of the index if it was requested */
  migrate(options: {
    readonly connectionString: string;
    readonly searchIndex?: boolean | undefined;
  }): Promise<{
    readonly from: number;
    readonly to: number;
    readonly searchIndex?: { readonly isThere: boolean; readonly reason?: string | undefined };
  }>;
  keep(
    folders: readonly StoredFolder[],
    options: {
      readonly to: string;
      readonly signal: AbortSignal;
      readonly onProgress: (progress: KeepProgress) => void;
    },
  ): Promise<KeepReport>;
  importSessions(
    source: InspectorDataSource,
    options: {
      readonly connectionString: string;
      readonly tenantPrefix: string;
      readonly watch: boolean | undefined;
      readonly retryForMs: number;
      readonly signal: AbortSignal;
      readonly onProgress: (progress: CopyProgress) => void;
      readonly onImported: (report: CopyReport) => void;
      readonly onWaiting: (error: unknown) => void;
    },
  ): Promise<CopyReport>;
}

export interface SupportedSource {
  /** Value of `--source`, and the key of its sessions. */
  readonly name: string;
  readonly title: string;
  readonly kind: string;
  /** Continues the text "there is no". */
  readonly required: string;
  /** Searched by default. Absent if the kind is displayed only on request. */
  readonly place?: string | undefined;
  readonly placeText: string;
  /** Versions that wrote it, and limits of the support. */
  readonly versions?: string | undefined;
  /** Its location in folders that people may name instead. */
  readonly inside: readonly string[];
  /** Files are discovered at any depth: a folder with several kinds then counts as one of its folders, too. */
  readonly isAnyDepth: boolean;
  readonly takesFiles: boolean;
  /** True if its tenants are folders of this machine, and not an application's own. */
  readonly isOfMachine: boolean;
  recognises(folder: string): Promise<boolean>;
  /** Returns the tenant whose histories are exactly the content of `part`. Default is no tenant. */
  tenantIn?(folder: string, part: string): Promise<string | undefined>;
  open(folder: string, options: FolderOptions): Promise<InspectorDataSource>;
  /** Prices of the sessions at their origin. Default is no prices. */
  ownPrices?(place: string): Promise<unknown>;
  /** Omits settings and credentials. `tenants` limits the files to these tenants. */
  listFiles(folder: string, tenants?: readonly string[]): Promise<HistoryFiles>;
}

export interface FolderOptions {
  readonly pool?: ReadingPool | undefined;
  /** Sessions to read before a request; 0 only discovers them. Default is no reading ahead. */
  readonly readAhead?: number | undefined;
  readonly onProgress?: ((progress: ListProgress) => void) | undefined;
  readonly cacheDir?: string | undefined;
}

export interface InspectorOptions {
  readonly pool: ReadingPool;
  readonly prices: PriceTable;
  readonly rules?: readonly OwnRule[] | undefined;
  /** Cache of the sessions' edits; `owner` names the histories in it. Default is no cache. */
  readonly cachedEdits?: { readonly dir: string; readonly owner: string } | undefined;
}

export interface SpanCounts {
  readonly spans: number;
  readonly rejected: number;
}

export interface CacheContents {
  readonly files: number;
  readonly bytes: number;
}

export interface CopyProgress {
  readonly sessions: number;
  readonly totalSessions: number;
  readonly records: number;
  readonly bytes: number;
}

export interface CopyReport extends CopyProgress {
  readonly skipped: readonly SkippedCopy[];
}

interface SkippedCopy extends SessionKey {
  readonly reason: string;
}
