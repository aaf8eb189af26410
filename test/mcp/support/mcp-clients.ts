import { EventEmitter } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { Client as Client2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioTransport2 } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioTransport1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StdioServerTransport as StreamTransport1 } from "@modelcontextprotocol/sdk/server/stdio.js";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { runCommandLine } from "../../../src/adapters/cli/command-line.js";
import { serveMcp } from "../../../src/adapters/mcp/mcp-server.js";
import { PARTS, TextOutput } from "../../support/command-line.js";

/** The installed form of the command: built before all tests. */
export const MAIN = path.resolve(import.meta.dirname, "../../../dist/src/composition/main.js");

export interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
}

/** Common to all versions of the SDK. */
export interface McpClient {
  listTools(): Promise<{ readonly tools: readonly ListedTool[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  getInstructions(): string | undefined;
  close(): Promise<void>;
}

interface ListedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: { readonly [member: string]: unknown };
  readonly annotations?: { readonly readOnlyHint?: boolean | undefined } | undefined;
}

const IDENTITY = { name: "test", version: "1" };

function commandOf(args: readonly string[], home: string) {
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    TMPDIR: home,
    XDG_CACHE_HOME: path.join(home, ".cache"),
  };
  return { command: process.execPath, args: [MAIN, "mcp", ...args], env, cwd: home, stderr: "pipe" as const };
}

/** The folder is also the user's home. */
export type Connect = (home: string, ...args: readonly string[]) => Promise<McpClient>;

/** Processes, for clients of both lines of the official SDK: most agents use the first one. */
export const CLIENTS: readonly (readonly [name: string, connect: Connect])[] = [
  [
    "the SDK's first line",
    async (home, ...args) => {
      const client = new Client1(IDENTITY);
      await client.connect(new StdioTransport1(commandOf(args, home)));
      return client;
    },
  ],
  [
    "the SDK's second line",
    async (home, ...args) => {
      const client = new Client2(IDENTITY);
      await client.connect(new StdioTransport2(commandOf(args, home)));
      return client;
    },
  ],
];

/** In this process, which takes a twentieth of the time of a new one: the same bytes go through streams. */
export const connectHere: Connect = async (home, ...args) => {
  const before = process.cwd();
  process.chdir(home);
  const streams = { stdin: new PassThrough(), stdout: new PassThrough() };
  const loadMcp = async (): ReturnType<typeof PARTS.loadMcp> => (useCases, options) =>
    serveMcp(useCases, options, streams);
  const terminal = Object.assign(new EventEmitter(), { stdout: new TextOutput(), stderr: new TextOutput() });
  const ended = runCommandLine(["mcp", ...args, "--no-cache"], { ...PARTS, loadMcp }, terminal);
  const client = new Client1(IDENTITY);
  // Both ends use the same line protocol, so the client's transport serves the command, too.
  try {
    await Promise.race([
      client.connect(new StreamTransport1(streams.stdout, streams.stdin)),
      ended.then(() => Promise.reject(new Error(`It ended: ${terminal.stderr.text}`))),
    ]);
  } finally {
    process.chdir(before);
  }
  const close = async () => {
    await client.close();
    streams.stdin.end();
    expect(await ended).toBe(0);
  };
  return {
    listTools: () => client.listTools(),
    callTool: (asked) => client.callTool(asked),
    getInstructions: () => client.getInstructions(),
    close,
  };
};

export async function connect(home: string, ...args: readonly string[]): Promise<McpClient> {
  return closedAtEnd(await connectHere(home, ...args));
}

/** Read-only tests share a client: a process takes a second to start. */
export function sharedClient(
  connectClient: Connect,
  fill: (home: string) => Promise<unknown>,
  ...args: readonly string[]
): () => McpClient {
  let [client, home]: [McpClient?, string?] = [];
  beforeAll(async () => {
    home = await mkdtemp(path.join(tmpdir(), "mcp-clients-"));
    await fill(home);
    client = await connectClient(home, ...args);
  });
  afterAll(async () => {
    await client?.close();
    if (home !== undefined) await rm(home, { recursive: true });
  });
  return () => client!;
}

function closedAtEnd(client: McpClient): McpClient {
  onTestFinished(() => client.close());
  return client;
}

export async function call(
  client: McpClient,
  name: string,
  given: Record<string, unknown> = {},
): Promise<ToolAnswer> {
  const { content, isError = false } = (await client.callTool({ name, arguments: given })) as {
    readonly content: readonly { readonly type: string; readonly text: string }[];
    readonly isError?: boolean;
  };
  return { isError, text: content.map(({ text }) => text).join("\n") };
}

/** Follows `next` to the end. */
export async function callAllPages(
  client: McpClient,
  name: string,
  wanted: RegExp,
  given: Record<string, unknown>,
): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const { text } = await call(client, name, { ...given, ...(cursor !== undefined && { cursor }) });
    for (const [one] of text.matchAll(wanted)) found.push(one);
    cursor = /\bnext=(c-[0-9a-f]{10})$/m.exec(text)?.[1];
  } while (cursor !== undefined);
  return found;
}
