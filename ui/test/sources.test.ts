import { expect, it } from "vitest";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import { judge } from "./browser/axe.js";
import { describeInBrowser, page } from "./browser/browser.js";
import { button, clipboard, go, hash, settled } from "./browser/page.js";
import { serveSource } from "./fixtures/serve-app.js";
import { surveyed, surveys } from "./fixtures/surveyed.js";

const DUE = "41 sessions (212 MB) will be deleted by Claude Code within 7 days";

describeInBrowser("the sources", () => {
  const server = serveSource(() => surveyed(surveys));
  const kept = serveSource(() => surveyed(() => surveys().slice(1)));
  const none = serveSource(() => surveyed(() => []));
  const plain = serveSource(() => createInMemoryInspectorDataSource());

  const table = () => page.getByRole("region", { name: "Sources, their sizes and versions" });
  const row = (name: string) => table().getByRole("row").filter({ hasText: name });
  const cells = (name: string) => row(name).getByRole("cell").allTextContents();

  it("are a click on the list's count away, a key, and a command, and have an address", async () => {
    await server.open("#/");
    await page.getByRole("link", { name: "1 session", exact: true }).click();
    await table().waitFor();
    await expect.poll(hash).toBe("#/sources");
    await expect.poll(() => page.title()).toBe("Sources · Agent Inspector");
    await page.keyboard.press("u");
    await expect.poll(hash).toBe("#/");
    await page.keyboard.press("s");
    await expect.poll(hash).toBe("#/sources");
    await go("#/s/shop/checkout/summary");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("sources");
    await page.keyboard.press("Enter");
    await expect.poll(hash).toBe("#/sources");
    await table().waitFor();
  });

  it("are a table of their figures, in which a partial and an unknown one says so", async () => {
    await server.open("#/sources");
    await table().waitFor();
    await expect
      .poll(() => cells("Claude Code"))
      .toEqual([
        "1,204",
        "3,310",
        "1.1 GB",
        "29d ago",
        "1m ago",
        "2.2.0 (newer than verified)2.1.3312.1.40and 1 more",
        "2.1.331",
        "after 30 days",
      ]);
    await row("Claude Code").getByText("/home/ada lovelace/.claude/projects").waitFor();
    await row("Claude Code").getByText("Partial: 34 sessions not read yet").waitFor();
    await expect.poll(async () => (await cells("Codex")).at(-1)).toBe("never");
    await expect.poll(() => row("Codex").getByText("Partial").count()).toBe(0);
    await expect.poll(async () => (await cells("Shop agent")).slice(0, 2)).toEqual(["1", "–not known"]);
    await expect.poll(() => cells("Broken")).toEqual(["cannot be read: The disk is away."]);
  });

  it("say which version is newer than the one that the reader was verified with", async () => {
    await server.open("#/sources");
    const newer = table().locator("[data-newer=true]");
    await newer.waitFor();
    await expect
      .poll(() => newer.getAttribute("title"))
      .toBe("newer than 2.1.331, which this reader was verified with");
    const colours = await newer.evaluate((one) => {
      const other = one.parentElement!.querySelector("[data-newer=false]")!;
      return [getComputedStyle(one).backgroundColor, getComputedStyle(other).backgroundColor];
    });
    expect(colours[0]).not.toBe(colours[1]);
  });

  it("lead from an unknown type of record, and from what could not be read, to a session", async () => {
    await server.open("#/sources");
    const types = page.getByRole("list", { name: /Unknown record types/ });
    await expect
      .poll(() => types.textContent())
      .toBe("claude-code.brain-scan 17 records in 3 sessions, a session with it");
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

  it("say what will be deleted, and how to keep it", async () => {
    await server.open("#/sources", { context: { permissions: ["clipboard-read", "clipboard-write"] } });
    await page.getByText(DUE).waitFor();
    const command = "agent-inspector keep '/home/ada lovelace/.claude/projects' --to ~/agent-histories";
    await page.getByText(command).waitFor();
    await button("Copy command").click();
    await button("Copied").waitFor();
    await expect.poll(() => clipboard()).toBe(command);
  });

  it("are announced above the list where sessions will be deleted soon, until that is dismissed", async () => {
    await server.open("#/");
    await page.getByText(DUE).waitFor();
    await page.getByRole("main").getByRole("link", { name: "Sources", exact: true }).click();
    await expect.poll(hash).toBe("#/sources");
    await page.goBack();
    await button("Dismiss for a week").click();
    await expect.poll(() => page.getByText(DUE).count()).toBe(0);
    await page.reload();
    await page.getByRole("row").filter({ hasText: "checkout tests" }).first().waitFor();
    await settled();
    await expect.poll(() => page.getByText(DUE).count()).toBe(0);
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
    await expect.poll(() => cells("Histories")).toEqual(["0", ...Array(7).fill("–not known")]);
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
