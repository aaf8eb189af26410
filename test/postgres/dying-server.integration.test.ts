import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SourceUnavailableError } from "../../src/application/errors.js";
import { createPostgresDataSource } from "../../src/postgres.js";

/** Protocol version 3: https://www.postgresql.org/docs/current/protocol-message-formats.html */
function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}

const AUTHENTICATED = message("R", Buffer.alloc(4));
const READY = message("Z", Buffer.from("I"));
const FATAL = message(
  "E",
  Buffer.from("SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0"),
);

let server: Server;

beforeEach(async () => {
  server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(Buffer.concat([AUTHENTICATED, READY, FATAL])));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(() => server.close());

it("a server that dies as soon as it has greeted is unavailable, and does not end the process", async () => {
  const { port } = server.address() as AddressInfo;
  const source = createPostgresDataSource({ connectionString: `postgres://ada@127.0.0.1:${port}/histories` });
  const uncaught: unknown[] = [];
  const note = (error: unknown) => uncaught.push(error);
  process.on("uncaughtException", note);
  for (let attempt = 0; attempt < 3; attempt++) {
    await expect(source.listSessions()).rejects.toThrow(SourceUnavailableError);
  }
  await source.close?.();
  process.off("uncaughtException", note);
  expect(uncaught).toEqual([]);
});
