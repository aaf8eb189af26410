import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { describeInBrowser, open, page } from "./browser/browser.js";
import { button, clipboard, details, failedRow, go, row } from "./browser/page.js";
import { checkoutSession } from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";

/** Needs quotes in a shell and escapes in an address. */
const SESSION_ID = 'it\'s 100 % done & "gone"';

describeInBrowser("copying", () => {
  const server = serveHistories([checkoutSession(), { ...checkoutSession(), sessionId: SESSION_ID }]);
  const { envelopes = [], orchestrationEvents = [] } = checkoutSession();

  const openSession = (hash: string) => server.open(`#/s/shop/${hash}`);
  const press = async (name: string) => {
    await page.getByRole("button", { name, exact: true }).click();
    await button("Copied").waitFor();
    return clipboard();
  };
  const envelopeOf = (type: string, name: string) =>
    envelopes.find(({ event }) => event.type === type && (event as { toolName?: string }).toolName === name);

  it("gives the events of a step as one JSON text that equals what the service has", async () => {
    await openSession("checkout/trace");
    await failedRow().click();
    const copied = await press("Copy JSON");
    expect(JSON.parse(copied)).toEqual({
      start: envelopeOf("tool.start", "Bash"),
      end: envelopeOf("tool.end", "Bash"),
    });
  });

  it("copies an event that is no start or end as it is", async () => {
    await openSession("checkout/trace?kind=unknown");
    await row(/brand.new.event/).click();
    const copied = await press("Copy JSON");
    expect(JSON.parse(copied)).toEqual(envelopes.find(({ event }) => event.type === "brand.new.event"));
  });

  it("gives every digit of a number, and shows it, also where JavaScript would round it", async () => {
    await server.open("#/");
    await page.route("**/trace?*", async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('"answer":42', '"answer":12345678901234567890');
      await route.fulfill({ response, body });
    });
    await go("#/s/shop/checkout/trace?kind=unknown&raw=1");
    await row(/brand.new.event/).click();
    await page.getByRole("region", { name: "Raw JSON" }).getByText("12345678901234567890").waitFor();
    const copied = await press("Copy JSON");
    expect(copied).toContain('"answer":12345678901234567890');
  });

  it("gives a curl command that a shell can run", async () => {
    await openSession(`${encodeURIComponent(SESSION_ID)}/trace`);
    await failedRow().click();
    const command = await press("Copy curl");
    expect(command).toMatch(/^curl /);
    const answer = await runInShell(command);
    expect(answer.envelopes).toHaveLength(envelopes.length + orchestrationEvents.length);
  });

  it("gives a link to the event, and the session's id", async () => {
    await openSession("checkout/trace");
    await failedRow().click();
    const link = await press("Copy link");
    expect(link).toBe(page.url());
    await open(link);
    await details().getByText("Expected: 0.3").waitFor();
    await button("More").click();
    const copied = await press("Copy session id");
    expect(copied).toBe("checkout");
  });

  it("works where the page has no clipboard, as over plain HTTP from another machine", async () => {
    await server.open("#/nowhere", { context: {} });
    await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
    await page.goto(`${server.address}/#/s/shop/checkout/trace`);
    await failedRow().click();
    await button("More").click();
    await button("Copy session id").click();
    await button("Copied").waitFor();
    await page.getByRole("searchbox").focus();
    await page.keyboard.press("Control+v");
    await expect.poll(() => page.getByRole("searchbox").inputValue()).toBe("checkout");
  });
});

const run = promisify(execFile);

/** Without curl, the test makes the same request. */
async function runInShell(command: string): Promise<{ envelopes: unknown[] }> {
  try {
    return JSON.parse((await run("sh", ["-c", command], { timeout: 5000 })).stdout);
  } catch (error) {
    if ((error as { code?: number }).code !== 127) throw error;
    const { stdout: address } = await run("sh", ["-c", `curl() { printf %s "$2"; }; ${command}`]);
    return (await fetch(address)).json() as Promise<{ envelopes: unknown[] }>;
  }
}
