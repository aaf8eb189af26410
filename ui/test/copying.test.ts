import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { describeInBrowser } from "./browser/browser.js";
import { checkoutSession } from "./fixtures/histories.js";
import { type Served, serveHistories } from "./fixtures/serve-app.js";

/** An id that a shell and an address would both misread if it were not quoted for them. */
const SESSION_ID = 'it\'s 100 % done & "gone"';

describeInBrowser("copying", (visitor) => {
  let server: Served;
  let page: Page;
  const { envelopes = [], orchestrationEvents = [] } = checkoutSession();

  beforeAll(async () => {
    server = await serveHistories([checkoutSession(), { ...checkoutSession(), sessionId: SESSION_ID }]);
  });
  afterAll(() => server.stop());
  afterEach(async () => {
    await page.context().close();
    expect(visitor.errors.splice(0)).toEqual([]);
  });

  const open = async (hash: string) => {
    page = await visitor.open(`${server.address}/#/s/shop/${hash}`);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  };
  const press = async (name: string) => {
    await page.getByRole("button", { name, exact: true }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const failed = () => page.getByRole("row", { name: /Bash npm test -- checkout ✕ FAIL/ });
  const envelopeOf = (type: string, name: string) =>
    envelopes.find(({ event }) => event.type === type && (event as { toolName?: string }).toolName === name);

  it("gives the events of a step as one JSON text that equals what the service has", async () => {
    await open("checkout/trace");
    await failed().click();
    expect(JSON.parse(await press("Copy JSON"))).toEqual({
      start: envelopeOf("tool.start", "Bash"),
      end: envelopeOf("tool.end", "Bash"),
    });
  });

  it("copies an event that is no start or end as it is", async () => {
    await open("checkout/trace?kind=unknown");
    await page.getByRole("row", { name: /brand.new.event/ }).click();
    expect(JSON.parse(await press("Copy JSON"))).toEqual(
      envelopes.find(({ event }) => event.type === "brand.new.event"),
    );
  });

  it("gives every digit of a number, and shows it, also where JavaScript would round it", async () => {
    await open("");
    await page.route("**/trace?*", async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('"answer":42', '"answer":12345678901234567890');
      await route.fulfill({ response, body });
    });
    await page.goto(`${server.address}/#/s/shop/checkout/trace?kind=unknown&raw=1`);
    await page.getByRole("row", { name: /brand.new.event/ }).click();
    await page.getByRole("region", { name: "Raw JSON" }).getByText("12345678901234567890").waitFor();
    expect(await press("Copy JSON")).toContain('"answer":12345678901234567890');
  });

  it("gives a curl command that a shell can run", async () => {
    await open(`${encodeURIComponent(SESSION_ID)}/trace`);
    await failed().click();
    const command = await press("Copy curl");
    expect(command).toMatch(/^curl /);
    const answer = await runInShell(command);
    expect(answer.envelopes).toHaveLength(envelopes.length + orchestrationEvents.length);
  });

  it("gives a link to the event, and the session's id", async () => {
    await open("checkout/trace");
    await failed().click();
    const link = await press("Copy link");
    expect(link).toBe(page.url());
    await page.context().close();
    page = await visitor.open(link);
    await page.getByRole("complementary").getByText("Expected: 0.3").waitFor();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    expect(await press("Copy session id")).toBe("checkout");
  });

  it("works where the page has no clipboard, as over plain HTTP from another machine", async () => {
    await open("checkout/trace");
    await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
    await page.reload();
    await failed().click();
    await page.getByRole("button", { name: "Copy session id" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    await page.getByRole("searchbox").focus();
    await page.keyboard.press("Control+v");
    await expect.poll(() => page.getByRole("searchbox").inputValue()).toBe("checkout");
  });
});

const run = promisify(execFile);

/** Runs a copied command as a reader would; without curl, what curl would do. */
async function runInShell(command: string): Promise<{ envelopes: unknown[] }> {
  try {
    return JSON.parse((await run("sh", ["-c", command], { timeout: 5000 })).stdout);
  } catch (error) {
    if ((error as { code?: number }).code !== 127) throw error;
    const { stdout: address } = await run("sh", ["-c", `curl() { printf %s "$2"; }; ${command}`]);
    return (await fetch(address)).json() as Promise<{ envelopes: unknown[] }>;
  }
}
