import { expect, it } from "vitest";
import { describeInBrowser, page } from "./browser/browser.js";
import { button, details, go, isFocused, query, wholeTrace } from "./browser/page.js";
import { checkoutSession, manySessions } from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";

const CHECKOUT = "#/s/shop/checkout";
const PHONE = { width: 390, height: 844 };

describeInBrowser("going about", () => {
  const server = serveHistories([checkoutSession(), ...manySessions(11)]);
  const at = async (hash: string, options = {}) => server.open(hash, { ...options });
  const focused = () => page.evaluate(() => document.activeElement!.id || document.activeElement!.role);
  const said = (text: string | RegExp) =>
    page.getByRole("status").filter({ hasText: text }).first().waitFor({ state: "attached" });

  const summary = () => page.getByRole("table", { name: "Context usage" });

  it("names session and view in the title", async () => {
    await at("#/");
    await page.getByText("12 sessions").first().waitFor();
    await expect.poll(() => page.title()).toBe("Sessions · Agent Inspector");
    await page.getByRole("link", { name: "Make the checkout tests pass" }).click();
    await expect.poll(() => page.title()).toBe("Make the checkout tests pass · Summary · Agent Inspector");
    await page.keyboard.press("3");
    await expect.poll(() => page.title()).toBe("Make the checkout tests pass · Messages · Agent Inspector");
    await go("#/?q=cents");
    await expect.poll(() => page.title()).toBe("cents · Search results · Agent Inspector");
    await go("#/nowhere");
    await expect.poll(() => page.title()).toBe("Page not found · Agent Inspector");
  });

  it("leaves the focus alone when the page is opened", async () => {
    await at(`${CHECKOUT}/trace`, { fresh: true });
    await wholeTrace().waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(true);
  });

  it("takes the focus to the session that is opened, and back to the list", async () => {
    await at("#/");
    await page.getByRole("link", { name: "Make the checkout tests pass" }).waitFor();
    await page.keyboard.press("j");
    await expect.poll(focused).toBe("grid");
    await page.keyboard.press("Enter");
    await summary().waitFor();
    await expect.poll(focused).toBe("content");
    await page.keyboard.press("u");
    await page.getByRole("grid", { name: "Sessions" }).waitFor();
    await expect.poll(focused).toBe("content");
    await page.getByRole("link", { name: "Make the checkout tests pass" }).click();
    await summary().waitFor();
    await expect.poll(focused).toBe("content");
    await page.goBack();
    await page.getByRole("grid", { name: "Sessions" }).waitFor();
    await expect.poll(focused).toBe("content");
  });

  it("has the search of a session before its view, which takes the focus once its code is loaded", async () => {
    await server.open("#/", { context: {} });
    await page.getByRole("link", { name: "Make the checkout tests pass" }).waitFor();
    let load = () => {};
    const isLoaded = new Promise<void>((resolve) => {
      load = resolve;
    });
    await page.route(/session-view/, (route) => isLoaded.then(() => route.continue()));
    await go(`${CHECKOUT}/trace`);
    await page.keyboard.press("/");
    await page.keyboard.type("steep");
    await expect.poll(() => query().get("q")).toBe("steep");
    await page.keyboard.press("Escape");
    load();
    await wholeTrace().waitFor();
    await expect.poll(focused).toBe("content");
  });

  it("takes the focus to the view that is chosen, by key and by click", async () => {
    await at(`${CHECKOUT}/trace`);
    await wholeTrace().waitFor();
    await page.keyboard.press("3");
    await page.getByRole("region", { name: "Conversation" }).waitFor();
    await expect.poll(focused).toBe("content");
    await page.getByRole("link", { name: "Agents" }).click();
    await page.getByRole("treegrid", { name: "Agents" }).waitFor();
    await expect.poll(focused).toBe("content");
    await page.getByRole("link", { name: "Trace" }).focus();
    await page.keyboard.press("Enter");
    await wholeTrace().waitFor();
    await expect.poll(focused).toBe("content");
  });

  for (const viewport of [undefined, PHONE]) {
    it(`gives the focus to the trace when details are closed${viewport ? ", on a phone" : ""}`, async () => {
      await at(`${CHECKOUT}/trace`, viewport && viewport);
      await wholeTrace().waitFor();
      for (const close of ["Enter", "Escape"]) {
        await page.keyboard.press("e");
        const button = page.getByRole("button", { name: "Close details" });
        await button.focus();
        await page.keyboard.press(close);
        await button.waitFor({ state: "detached" });
        await expect.poll(focused).toBe("treegrid");
      }
    });
  }

  it("gives the focus back when a dialog is closed", async () => {
    await at(`${CHECKOUT}/trace`);
    await wholeTrace().waitFor();
    const grid = page.getByRole("treegrid");
    for (const [key, name] of [
      ["?", "Keys"],
      ["Control+k", "Commands"],
    ] as const) {
      await grid.focus();
      await page.keyboard.press(key);
      await page.getByRole("dialog", { name }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await expect.poll(focused).toBe("treegrid");
    }
    await page.keyboard.press("Control+k");
    await page.keyboard.type("agents");
    await page.keyboard.press("Enter");
    await page.getByRole("treegrid", { name: "Agents" }).waitFor();
    await expect.poll(focused).toBe("content");
    const menu = page.getByRole("button", { name: "Appearance and keys" });
    await menu.click();
    await button("Keys ?").click();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => isFocused(menu)).toBe(true);
  });

  it("announces what is shown", async () => {
    await at("#/");
    await said("12 sessions");
    await page.keyboard.press("/");
    await page.keyboard.type("nothing-at-all");
    await said("No match");
    await go(`${CHECKOUT}/trace`);
    await said(/Trace of Make the checkout tests pass, \d+ events/);
    await page.keyboard.press("2");
    await said("Agents of Make the checkout tests pass, 3 agents");
    await page.keyboard.press("3");
    await said("Messages of Make the checkout tests pass");
    await go(`${CHECKOUT}/trace?tool=Nothing`);
    await said("No event matches the filters.");
    await go("#/?filter=user:nobody");
    await said("No session matches");
  });

  it("goes from error to error in the trace, says which it is, and stops at the last", async () => {
    await at(`${CHECKOUT}/trace`);
    await wholeTrace().waitFor();
    for (const number of [1, 2, 3, 4]) {
      await page.keyboard.press("e");
      await said(`Error ${number} of 4`);
    }
    await expect
      .poll(async () => (await page.getByText("Error 4 of 4").boundingBox())!.width)
      .toBeGreaterThan(40);
    const last = page.url();
    await page.keyboard.press("e");
    await said("That was the last error. Press again to start with the first.");
    await expect.poll(() => page.url()).toBe(last);
    await page.keyboard.press("e");
    await said("Error 1 of 4");
    await page.keyboard.press("E");
    await said("That was the first error. Press again to start with the last.");
    await page.keyboard.press("E");
    await said("Error 4 of 4");
  });

  it("goes from error to error in the other views as they show it, else to the trace", async () => {
    await at(`${CHECKOUT}/messages`);
    await page.getByRole("region", { name: "Conversation" }).waitFor();
    await page.keyboard.press("e");
    await said(/Error 1 of \d/);
    await expect.poll(() => page.url()).toContain("/messages?call=");
    await page.locator('[data-current="true"]').getByText("failed").waitFor();
    await page.keyboard.press("2");
    await page.getByRole("treegrid", { name: "Agents" }).waitFor();
    await page.keyboard.press("e");
    await said("Error 1 of 1");
    await details().getByText("ran out of turns").waitFor();
    await page.keyboard.press("4");
    await page.getByText("Call 23 of 23").waitFor();
    await page.keyboard.press("e");
    await said("Error 1 of 4");
    await expect.poll(() => page.url()).toContain("/trace?event=");
    await go("#/s/shop/many-1/trace");
    await page.keyboard.press("e");
    await said("No error in this view.");
  });
});
