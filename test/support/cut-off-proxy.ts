import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface CutOffProxy {
  readonly url: string;
  /** Breaks all connections; new ones are refused (`refused`), or accepted without any answer (`silent`). */
  cut(how: "refused" | "silent"): void;
  restore(): void;
}

/** @param url of the server, with a port */
export async function cutOffProxy(url: string): Promise<CutOffProxy> {
  const { port, hostname } = new URL(url);
  const sockets = new Set<Socket>();
  let state: "open" | "refused" | "silent" = "open";
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((socket) => {
    keep(socket);
    if (state === "refused") socket.destroy();
    if (state !== "open") return;
    const upstream = keep(connect(Number(port), hostname));
    socket.pipe(upstream).pipe(socket);
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const)
      one.on("close", () => other.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    breakAll();
    server.close();
  });
  const own = new URL(url);
  own.port = String((server.address() as AddressInfo).port);
  own.hostname = "127.0.0.1";
  return {
    url: own.href,
    cut(how) {
      state = how;
      breakAll();
    },
    restore() {
      state = "open";
      breakAll();
    },
  };
}
