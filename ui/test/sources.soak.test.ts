import { expect, it } from "vitest";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import { judge } from "./browser/axe.js";
import { describeInBrowser, page } from "./browser/browser.js";
import { button, hash, settled } from "./browser/page.js";
import { serveSource } from "./fixtures/serve-app.js";
import { surveyed, surveys } from "./fixtures/surveyed.js";

const DUE = "41 sessions (212 MB) will be deleted by Claude Code within 7 days";

describeInBrowser("the sources, in further states", () => {
  const server = serveSource(() => surveyed(surveys));
  const kept = serveSource(() => surveyed(() => surveys().slice(1)));
  const none = serveSource(() => surveyed(() => []));
  const plain = serveSource(() => createInMemoryInspectorDataSource());

  const table = () => page.getByRole("region", { name: "Sources, their sizes and versions" });
  const row = (name: string) => table().getByRole("row").filter({ hasText: name });
  const cells = (name: string) => row(name).getByRole("cell").allTextContents();

  it("lead from an unknown type of record, and from what could not be read, to a session", async () => {
    await server.open("#/sources");
    const types = page.getByRole("list", { name: /Unknown record types/ });
    await expect
      .poll(() => types.textContent())
      .toBe("claude-code.brain-scan 17 records in 3 sessions, example session");
    const problems = page.getByRole("list", { name: /Could not be read/ });
    await expect
      .poll(() => problems.textContent())
      .toBe("shop/checkout.jsonl:12 is no JSON (4 times), the session");
    await types.getByRole("link").click();
    await expect.poll(hash).toMatch(/^#\/s\/shop\/checkout\/trace/);
  });

  it("say what is gone", async () => {
    await server.open("#/sources");
    const gone = page.getByRole("list", { name: /^Gone/ });
    await expect
      .poll(() => gone.textContent())
      .toBe("Move the cart to the edge/home/ada/shop 3mo ago named in history.jsonl");
  });

  it("are not announced where nothing will be deleted, and the list asks for no others", async () => {
    const asked: string[] = [];
    page.on("request", (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.endsWith("/sources")) asked.push(search);
    });
    await kept.open("#/", { fresh: true });
    await page.getByRole("row").filter({ hasText: "checkout tests" }).first().waitFor();
    await settled();
    await expect.poll(() => page.getByText("will be deleted").count()).toBe(0);
    await expect.poll(() => asked).toEqual(["?only=due"]);
  });

  it("say so where there are none, and where the service cannot tell", async () => {
    await none.open("#/sources");
    await page.getByRole("heading", { name: "No sources" }).waitFor();
    await plain.open("#/sources");
    await expect.poll(() => cells("Histories")).toEqual(["0", ...Array(7).fill("-not known")]);
    await page.route("**/__inspector/sources", (route) => route.fulfill({ status: 500, body: "{}" }));
    await plain.open("#/sources", { fresh: true });
    await button("Try now").waitFor();
    await page.unroute("**/__inspector/sources");
    await button("Try now").click();
    await table().waitFor();
  });

  judge(server, [
    ["the sources", "#/sources", DUE],
    ["a list of which sessions will be deleted", "#/", DUE],
  ]);
  judge(none, [["no sources", "#/sources", "No sources"]]);
});
