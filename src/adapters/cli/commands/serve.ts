import { createServer } from "node:http";
import { type AddressInfo, isIP } from "node:net";
import { networkInterfaces } from "node:os";
import type { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import { visibleText } from "../../../domain/text/visible-text.js";
import { CommandLineError } from "../text/terminal.js";

export interface ServeOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly portOption?: string | undefined;
}

export interface RunningServer {
  readonly address: string;
  answer(content: Hono): Promise<void>;
  close(graceMs?: number): Promise<void>;
}

type Listener = ReturnType<typeof getRequestListener>;

/**
 * Listens before the application is loaded, so that the address can be displayed at once.
 * @throws CommandLineError if the port or the host is not available
 */
export async function listen({ host, port, portOption = "--port" }: ServeOptions): Promise<RunningServer> {
  let begin: (listener: Listener) => void = () => undefined;
  const begun = new Promise<Listener>((resolve) => {
    begin = resolve;
  });
  const server = createServer((request, response) => void begun.then((answer) => answer(request, response)));
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) =>
      reject(new CommandLineError(problemOf(error, host, port, portOption), { cause: error })),
    );
    server.listen(port, host, resolve);
  });
  // The guard needs the port, and only the listening server has a port that was picked.
  const bound = (server.address() as AddressInfo).port;
  return {
    address: addressOf(host, bound),
    async answer(content) {
      const [{ getRequestListener }, { Hono }, { localGuard }] = await Promise.all([
        import("@hono/node-server"),
        import("hono"),
        import("./local-guard.js"),
      ]);
      const guard = localGuard({ authorities: authoritiesOf(host, bound) });
      begin(getRequestListener(new Hono().use("*", guard).route("/", content).fetch));
    },
    close: (graceMs = 0) =>
      new Promise((resolve) => {
        const closeAll = () => server.closeAllConnections();
        const timer = setTimeout(closeAll, graceMs);
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
        if (graceMs === 0) closeAll();
      }),
  };
}

function problemOf({ code, message }: NodeJS.ErrnoException, name: string, port: number, option: string) {
  const host = visibleText(name);
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} is taken on ${host}. Name another with ${option}, or let ${option} 0 pick a free one.`;
    case "EACCES":
      return `Port ${port} is not allowed for you. Name one above 1023 with ${option}.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `"${host}" is no address of this machine. Name one with --host.`;
    default:
      return `The server could not start on ${host}, port ${port}: ${message}`;
  }
}

const LOOPBACK_NAMES = ["127.0.0.1", "localhost", "[::1]"];

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

function isWildcard(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

/** Loopback names and the configured host. For a wildcard host, all addresses of the machine. */
export function authoritiesOf(host: string, port: number): string[] {
  const hosts = isWildcard(host) ? machineAddresses() : [host];
  return [...new Set([...LOOPBACK_NAMES, ...hosts.map(inUrl)])].map((name) => `${name}:${port}`);
}

export function addressOf(host: string, port: number): string {
  return `http://${isWildcard(host) ? "127.0.0.1" : inUrl(host)}:${port}/`;
}

function machineAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ address }) => address);
}

function inUrl(host: string): string {
  return isIP(host) === 6 ? `[${host.replace(/%.*$/, "")}]` : host.toLowerCase();
}
