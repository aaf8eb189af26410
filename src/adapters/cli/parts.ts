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
} from "../../domain/session/kept-histories.js";
import type { Ending, Terminal } from "./terminal.js";

/** What every command is given. */
export interface CommandContext {
  readonly parts: CommandLineParts;
  readonly terminal: Terminal;
  /** Sets what the process ends with. Default is 0. */
  readonly end: (ending: Ending) => void;
  /** Aborted once standard output takes no more: its reader is gone, or the disk is full. */
  readonly outputEnded: AbortSignal;
}

/** All that the command line has made for it. Each part loads its code when it is asked for. */
export interface CommandLineParts {
  /** The kinds of histories that are known, in the order in which they are named to people. */
  sources(): readonly KnownSource[];
  /** Several sources as one. */
  combine(sources: readonly NamedSource[], options: CombineOptions): Promise<InspectorDataSource>;
  /** Threads for every processor, which have begun. */
  openPool(): Promise<ReadingPool>;
  /** @throws TypeError for prices that are none */
  pricesOf(prices: unknown): Promise<PriceTable>;
  /** @throws AgentAppConfigurationError for what are no rules */
  rulesOf(file: unknown): Promise<readonly OwnRule[]>;
  useCases(source: InspectorDataSource, options: InspectorOptions): Promise<InspectorUseCases>;
  /** The API of a source, and the page that shows it. */
  inspectorApp(source: InspectorDataSource, options: InspectorOptions): Promise<Hono>;
  /**
   * The page on the API of an agent application that runs elsewhere.
   *
   * @throws TypeError for an address or a header that is none
   */
  agentApp(agentUrl: string, headers: Readonly<Record<string, string>>): Promise<Hono>;
  /** Writes the demo into a folder, where one of its sessions goes on until what is returned is called. */
  writeDemo(dataDir: string): Promise<() => Promise<void>>;
  openReceiver(options: {
    readonly directory: string;
    readonly access: () => InspectorAccess;
    readonly onReceived: (received: SpanCounts) => void;
  }): Promise<{ readonly app: Hono; close(): Promise<void> }>;
  /**
   * What serves tools for coding agents on standard input and output. `ended` resolves when the client has gone.
   *
   * @throws CommandLineError where the package of the protocol is not installed
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
  /** @returns the versions of the schema, and what became of the index where it was asked for */
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
      /** Of one that goes on: called each time that something was copied or left out, and the first time in any case. */
      readonly onImported: (report: CopyReport) => void;
      readonly onWaiting: (error: unknown) => void;
    },
  ): Promise<CopyReport>;
}

/** A kind of histories that the command line finds and shows. */
export interface KnownSource {
  /** What `--source` calls it, and the key of its sessions among others. */
  readonly name: string;
  /** What people call it among others. */
  readonly title: string;
  /** What such a folder is. */
  readonly kind: string;
  /** What has to be in it: goes on from "there is no". */
  readonly required: string;
  /** Where it is looked for where no folder is named. Absent of what is shown only where it is named. */
  readonly place?: string | undefined;
  /** The same for people, with the variables that move it. */
  readonly placeText: string;
  /** Which versions wrote it, and how much of them is read, where that is not all. Default is that there are none. */
  readonly versions?: string | undefined;
  /** Where it lies in folders that people may name instead. */
  readonly inside: readonly string[];
  /** Whether its files are found at any depth: a folder that holds several kinds is one of it, too. */
  readonly isAnyDepth: boolean;
  /** Whether it may be a single file, too. */
  readonly takesFiles: boolean;
  /** Whether its tenants are folders of this machine, and not an application's own. */
  readonly isOfMachine: boolean;
  /** Whether a folder, or a file, is one, by what is in it. */
  recognises(folder: string): Promise<boolean>;
  /** The tenant whose histories are all that lies in a folder inside of one that was recognised, and lie nowhere else. Default is none. */
  tenantIn?(folder: string, part: string): Promise<string | undefined>;
  open(folder: string, options: FolderOptions): Promise<InspectorDataSource>;
  /** Prices that it brings, of what its sessions cost where it comes from. Default is none. */
  ownPrices?(place: string): Promise<unknown>;
  /** The files that its histories consist of, settings and credentials not among them; of some tenants alone, where these are given. */
  listFiles(folder: string, tenants?: readonly string[]): Promise<HistoryFiles>;
}

export interface FolderOptions {
  /** Where files are read. Default is a thread of the source's own. */
  readonly pool?: ReadingPool | undefined;
  /** How many sessions of the list are read at once, for a page that will ask for them; with 0 it is found out which there are. Default is nothing. */
  readonly readAhead?: number | undefined;
  readonly onProgress?: ((progress: ListProgress) => void) | undefined;
  /** Where what is read is kept for the next start. Default is nowhere. */
  readonly cacheDir?: string | undefined;
}

export interface InspectorOptions {
  readonly pool: ReadingPool;
  readonly prices: PriceTable;
  /** Own rules for what is removed from exported sessions. Default is none. */
  readonly rules?: readonly OwnRule[] | undefined;
  /** Where what is read of sessions' edits is kept for the next start, and by what the histories are named there. Default is nowhere. */
  readonly keptEdits?: { readonly dir: string; readonly owner: string } | undefined;
}

/** How many spans of a request were written, and how many were not. */
export interface SpanCounts {
  readonly spans: number;
  readonly rejected: number;
}

export interface CacheContents {
  readonly files: number;
  readonly bytes: number;
}

/** How many sessions were copied, of how many, and what of them was new. */
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
