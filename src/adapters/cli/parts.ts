import type { Hono } from "hono";
import type { OwnRule } from "../../application/ports/export.js";
import type { InspectorDataSource } from "../../application/ports/inspector-data-source.js";
import type { ListProgress } from "../../application/ports/list-progress.js";
import type { PriceTable } from "../../application/ports/price-table.js";
import type { ReadingPool } from "../../application/ports/reading-pool.js";
import type { WorkspaceFiles } from "../../application/ports/workspace-files.js";
import type { InspectorUseCases } from "../../application/questions/use-cases.js";
import type { InspectorAccess } from "../../application/sources/scope.js";
import type { CombineOptions, NamedSource } from "../../application/sources/source-part.js";
import type {
  HistoryFiles,
  KeepProgress,
  KeepReport,
  KeptFolder,
} from "../../domain/session/history-files.js";
import type { Ending, Terminal } from "./terminal.js";

/** Input of every command. */
export interface CommandContext {
  readonly parts: CommandLineParts;
  readonly terminal: Terminal;
  /** Sets what the process ends with. Default is 0. */
  readonly end: (ending: Ending) => void;
  /** Aborted once standard output takes no more: its reader is gone, or the disk is full. */
  readonly outputEnded: AbortSignal;
}

/** Components for the command line. Each of them loads its code on demand. */
export interface CommandLineParts {
  /** Returns the supported kinds of histories, in the order for display. */
  sources(): readonly KnownSource[];
  /** Several sources as one. */
  combine(sources: readonly NamedSource[], options: CombineOptions): Promise<InspectorDataSource>;
  /** Threads for every processor, which have begun. */
  openPool(): Promise<ReadingPool>;
  /** @throws TypeError for invalid prices */
  pricesOf(prices: unknown): Promise<PriceTable>;
  /** @throws AgentAppConfigurationError for what are no rules */
  rulesOf(file: unknown): Promise<readonly OwnRule[]>;
  useCases(source: InspectorDataSource, options: InspectorOptions): Promise<InspectorUseCases>;
  /** The API of a source, and the page that shows it. */
  inspectorApp(source: InspectorDataSource, options: InspectorOptions): Promise<Hono>;
  /**
   * Serves the page for the API of an agent application that runs elsewhere.
   *
   * @throws TypeError for an invalid address or header
   */
  agentApp(agentUrl: string, headers: Readonly<Record<string, string>>): Promise<Hono>;
  /** Writes the demo into a folder; one of its sessions continues until the returned function is called. */
  writeDemo(dataDir: string): Promise<() => Promise<void>>;
  openReceiver(options: {
    readonly directory: string;
    readonly access: () => InspectorAccess;
    readonly onReceived: (received: SpanCounts) => void;
  }): Promise<{ readonly app: Hono; close(): Promise<void> }>;
  /**
   * Loads the server of tools for coding agents on standard input and output. `ended` resolves when the client has gone.
   *
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
  /** Files of the folder that the command was called in, and what its repository says of them. */
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
  /** Copies the files of histories. */
  keep(
    folders: readonly KeptFolder[],
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
      /** Begins the tenant of each session there. */
      readonly tenantPrefix: string;
      readonly watch: boolean | undefined;
      readonly retryForMs: number;
      readonly signal: AbortSignal;
      readonly onProgress: (progress: CopyProgress) => void;
      /** For a continuing copy: called each time that something was copied or skipped, and always the first time. */
      readonly onImported: (report: CopyReport) => void;
      readonly onWaiting: (error: unknown) => void;
    },
  ): Promise<CopyReport>;
}

/** A kind of histories that the command line finds and shows. */
export interface KnownSource {
  /** Name for `--source`, and the key of its sessions among others. */
  readonly name: string;
  /** Name for people among other kinds. */
  readonly title: string;
  /** Description of such a folder. */
  readonly kind: string;
  /** Required content of the folder: continues the text "there is no". */
  readonly required: string;
  /** Path that is searched if no folder is named. Absent if the kind is displayed only on request. */
  readonly place?: string | undefined;
  /** The same for people, with the variables that move it. */
  readonly placeText: string;
  /** Versions that wrote it, and the supported extent if it is limited. Default is no versions. */
  readonly versions?: string | undefined;
  /** Its location in folders that people may name instead. */
  readonly inside: readonly string[];
  /** True if its files are discovered at any depth: a folder with several kinds then counts as one of its folders, too. */
  readonly isAnyDepth: boolean;
  /** True if it may also be a single file. */
  readonly takesFiles: boolean;
  /** True if its tenants are folders of this machine, and not an application's own. */
  readonly isOfMachine: boolean;
  /** True if the content of a folder or a file has this kind. */
  recognises(folder: string): Promise<boolean>;
  /** Returns the tenant whose histories are exactly the content of a folder within a recognised folder. Default is no tenant. */
  tenantIn?(folder: string, part: string): Promise<string | undefined>;
  open(folder: string, options: FolderOptions): Promise<InspectorDataSource>;
  /** Returns prices that come with the source: the cost of its sessions at their origin. Default is no prices. */
  ownPrices?(place: string): Promise<unknown>;
  /** Lists the files of its histories, without settings and credentials; only those of the tenants in `tenants`, if present. */
  listFiles(folder: string, tenants?: readonly string[]): Promise<HistoryFiles>;
}

export interface FolderOptions {
  /** Threads for reading files. Default is a separate thread for the source. */
  readonly pool?: ReadingPool | undefined;
  /**
   * Number of sessions of the list that are read immediately, for a page that will request them; with 0 the sessions are only discovered.
   * Default is no reading ahead.
   */
  readonly readAhead?: number | undefined;
  readonly onProgress?: ((progress: ListProgress) => void) | undefined;
  /** Folder for the cache for the next start. Default is no cache. */
  readonly cacheDir?: string | undefined;
}

export interface InspectorOptions {
  readonly pool: ReadingPool;
  readonly prices: PriceTable;
  /** Custom rules for removals from exported sessions. Default is no rules. */
  readonly rules?: readonly OwnRule[] | undefined;
  /** Cache of the sessions' edits for the next start, and the name of the histories in it. Default is no cache. */
  readonly keptEdits?: { readonly dir: string; readonly owner: string } | undefined;
}

/** Numbers of written and of rejected spans of a request. */
export interface SpanCounts {
  readonly spans: number;
  readonly rejected: number;
}

export interface CacheContents {
  readonly files: number;
  readonly bytes: number;
}

/** Number of copied sessions, their total, and the number of new items. */
export interface CopyProgress {
  readonly sessions: number;
  readonly totalSessions: number;
  readonly records: number;
  readonly bytes: number;
}

export interface CopyReport extends CopyProgress {
  readonly skipped: readonly SkippedCopy[];
}

interface SkippedCopy {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly reason: string;
}
