import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { localGuard } from "../../adapters/http/local-guard.js";
import { CommandLineError } from "./command-line-error.js";
import { addressOf, authoritiesOf } from "./server-address.js";

export interface ServeOptions {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** The option that names the port, for an error. Default is `--port`. */
  readonly portOption?: string | undefined;
}

export interface RunningServer {
  /** The address to open in a browser on this machine. */
  readonly address: string;
  /** @param graceMs how long answers that are under way may take. Default is not at all */
  close(graceMs?: number): Promise<void>;
}

/**
 * Serves an application on this machine, behind the guard.
 *
 * @throws CommandLineError where the port or the host cannot be had
 */
export async function serve(
  content: Hono,
  { host, port, portOption = "--port" }: ServeOptions,
): Promise<RunningServer> {
  // The port is part of what the guard answers for, and only the listening server knows a port that was picked.
  let app = new Hono();
  const server = createServer(getRequestListener((request, env) => app.fetch(request, env)));
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(listenProblem(error, host, port, portOption)));
    server.listen(port, host, resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  app = localApp(content, authoritiesOf(host, bound));
  return {
    address: addressOf(host, bound),
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

/** The whole of what the command serves. */
export function localApp(content: Hono, authorities: readonly string[]): Hono {
  const app = new Hono();
  app.use("*", localGuard({ authorities }));
  app.route("/", content);
  return app;
}

function listenProblem(
  error: NodeJS.ErrnoException,
  host: string,
  port: number,
  option: string,
): CommandLineError {
  const cause = { cause: error };
  switch (error.code) {
    case "EADDRINUSE":
      return new CommandLineError(
        `Port ${port} is taken on ${host}. Name another with ${option}, or let ${option} 0 pick a free one.`,
        cause,
      );
    case "EACCES":
      return new CommandLineError(
        `Port ${port} is not allowed for you. Name one above 1023 with ${option}.`,
        cause,
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new CommandLineError(`"${host}" is no address of this machine. Name one with --host.`, cause);
    default:
      return new CommandLineError(
        `The server could not start on ${host}, port ${port}: ${error.message}`,
        cause,
      );
  }
}
