import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { onTestFinished } from "vitest";

interface Host {
  readonly before: string;
  readonly behind: string;
}

export const ALLOWED = "Cookie: token=let-me-in";

const NODE_GUARD = `const isAllowed = ({ headers }) => headers.cookie === "token=let-me-in";`;
const FETCH_GUARD = `const isAllowed = ({ headers }) => headers.get("cookie") === "token=let-me-in";`;

const HOSTS = {
  hono: {
    before: `import { serve } from "@hono/node-server"; import { Hono } from "hono"; const app = new Hono(); ${FETCH_GUARD}`,
    behind: `app.get("/", (c) => c.text("the host")); app.post("/chat", async (c) => c.json(await chat()));
      export const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });`,
  },
  "express-4": express("express-4"),
  "express-5": express("express"),
  fastify: {
    before: `import fastify from "fastify"; const app = fastify(); ${NODE_GUARD}`,
    behind: `app.get("/", async () => "the host"); app.post("/chat", () => chat()); await app.listen({ port: 0, host: "127.0.0.1" }); export const { server } = app;`,
  },
  koa: {
    before: `import Koa from "koa"; const app = new Koa(); ${NODE_GUARD}`,
    behind: `app.use(async (ctx) => {
        if (ctx.path === "/") ctx.body = "the host";
        if (ctx.path === "/chat") ctx.body = await chat();
      });
      export const server = app.listen(0, "127.0.0.1");`,
  },
  nest: {
    before: `import "reflect-metadata"; import { Controller, Get, Module, Post } from "@nestjs/common"; import { NestFactory } from "@nestjs/core";
      class Root { hello() { return "the host"; } chat() { return chat(); } }
      Controller()(Root); Get()(Root.prototype, "hello", Object.getOwnPropertyDescriptor(Root.prototype, "hello"));
      Post("chat")(Root.prototype, "chat", Object.getOwnPropertyDescriptor(Root.prototype, "chat"));
      class AppModule {} Module({ controllers: [Root] })(AppModule);
      const app = await NestFactory.create(AppModule, { logger: false }); ${NODE_GUARD}`,
    behind: `await app.listen(0, "127.0.0.1"); export const server = app.getHttpServer();`,
  },
  node: {
    before: `import { createServer } from "node:http"; ${NODE_GUARD}
      const app = async ({ url }, response) => {
        if (url === "/chat") response.end(JSON.stringify(await chat()));
        else response.writeHead(url === "/" ? 200 : 404).end(url === "/" ? "the host" : "");
      };`,
    behind: `export { server }; server.listen(0, "127.0.0.1");`,
  },
} satisfies Readonly<Record<string, Host>>;

export type HostName = keyof typeof HOSTS;

function express(name: string): Host {
  return {
    before: `import express from "${name}"; const app = express(); ${NODE_GUARD}`,
    behind: `app.get("/", (request, response) => response.send("the host"));
      app.post("/chat", async (request, response) => response.json(await chat())); export const server = app.listen(0, "127.0.0.1");`,
  };
}

export const HOST_PACKAGES: readonly string[] = [
  ...["hono", "@hono/node-server", "express", "express-4", "fastify", "koa", "reflect-metadata"],
  ...["@nestjs/common", "@nestjs/core"],
];

let started = 0;

/**
 * Runs in this process until the end of the test.
 * @param folder with the packages, of `folderWith`
 * @returns its port
 */
export async function startHost(folder: string, name: HostName, code: readonly string[]): Promise<number> {
  const { before, behind } = HOSTS[name];
  // Node.js loads a module once: the same name would give the old one, whose server is closed.
  const file = path.join(folder, `host-${++started}.mjs`);
  await writeFile(file, [before, ...code, behind].join("\n"));
  const { server } = (await import(pathToFileURL(file).href)) as { readonly server: Server };
  if (!server.listening) await once(server, "listening");
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return (server.address() as AddressInfo).port;
}
