import { Hono } from "hono";
import { expect, it } from "vitest";
import { createInMemoryInspectorDataSource, createInspectorRoute } from "../../src/advanced.js";
import { createInspectorUi } from "../../src/ui.js";
import { describeInBrowser, errors, page } from "./browser/browser.js";
import { button, failedRow, go } from "./browser/page.js";
import { checkoutSession } from "./fixtures/histories.js";
import { serving, TestServer } from "./fixtures/serve-app.js";

const SESSION = "#/s/shop/checkout";
/** A browser caches the page's files permanently; a new context has none. */
const UNCACHED = { context: {} };

describeInBrowser("a file of the page that its server lacks for a while", () => {
  const source = createInMemoryInspectorDataSource([checkoutSession()]);
  /** `isNoticed`: the page has checked for its server after the missing file. */
  let lacks: { readonly file: RegExp; requests: number; isNoticed: boolean } | undefined;
  const server = serving(
    new TestServer(() =>
      new Hono()
        .use("/", async (_, next) => {
          if (lacks !== undefined && lacks.requests > 0) lacks.isNoticed = true;
          await next();
        })
        .use("/assets/*", async (c, next) => {
          if (lacks?.file.test(c.req.path) !== true) return next();
          lacks.requests++;
          return c.text("It is gone.", 404);
        })
        .route("/__inspector", createInspectorRoute(source))
        .route("/", createInspectorUi()),
    ),
  );

  const graph = async () => {
    await go(`${SESSION}/agents`);
    await button("Graph").click();
  };

  it.each<[what: string, file: RegExp, view: string, text: string, act?: () => Promise<void>]>([
    ["the engine", /engine-worker-/, "#/", "Make the checkout tests pass"],
    ["the page's own style sheet", /assets\/page-.*css/, "#/", "Make the checkout tests pass"],
    ["the first view", /sessions-view-/, "#/", "Make the checkout tests pass"],
    ["a part of a view", /markdown-[^n].*js/, `${SESSION}/messages`, "adds up cents"],
    ["code of the engine", /context-store-/, `${SESSION}/context`, "Context"],
    [
      "code of the engine that a view cannot do without",
      /agent-store-/,
      `${SESSION}/agents`,
      "Critical path",
    ],
    ["a worker of a view", /layout-worker-/, "#/", "explorer", graph],
    ["what explains the marks", /tooltips-.*js/, `${SESSION}/trace`, "Bash"],
  ])("is loaded when it is there again: %s", async (_, file, view, text, act) => {
    lacks = { file, requests: 0, isNoticed: false };
    const state = lacks;
    await server.open(view, UNCACHED);
    await act?.();
    await expect.poll(() => state.isNoticed).toBe(true);
    expect(state.requests).toBeLessThan(10);
    const loaded = page.waitForResponse((answer) => file.test(answer.url()) && answer.ok());
    lacks = undefined;
    await loaded;
    await page.getByText(text).filter({ visible: true }).first().waitFor();
    if (act === graph) await page.locator(".react-flow__node").first().waitFor();
    await expect.poll(() => page.getByText("could not be loaded").count()).toBe(0);
    errors.length = 0; // the browser reports missing files
  });

  it("is requested a few times where the server has the page, and then left alone", async () => {
    lacks = { file: /messages-view-.*js/, requests: 0, isNoticed: false };
    await server.open(`${SESSION}/trace`, UNCACHED);
    await failedRow().waitFor();
    await go(`${SESSION}/messages`);
    await page.getByText("lacks this file").waitFor({ timeout: 45_000 });
    await button("Load the page again").waitFor();
    expect(lacks.requests).toBeLessThan(10);
    lacks = undefined;
    errors.length = 0; // the browser reports missing files
  });
});
