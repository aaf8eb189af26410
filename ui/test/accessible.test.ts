import { it } from "vitest";
import { findNothing, judge } from "./browser/axe.js";
import { describeInBrowser, page } from "./browser/browser.js";
import { button } from "./browser/page.js";
import { comparedRuns } from "./fixtures/compared-runs.js";
import { checkoutSession, manySessions } from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";

/** One view of each kind; `accessible.soak.test.ts` has the agents, and other states. */
describeInBrowser("accessibility", () => {
  const server = serveHistories([checkoutSession(), ...comparedRuns(), ...manySessions(39)]);
  judge(server, [
    ["the sessions by tenant", "#/?group=project&filter=status:error", "session ·"],
    ["an error of the trace", "#/s/shop/checkout/trace?q=cents", "FAIL src", ["e"]],
    ["the messages", "#/s/shop/checkout/messages", "npm test"],
    ["the summary", "#/s/shop/checkout/summary", "Time breakdown"],
  ]);
  it("axe finds nothing wrong with the menu", async () => {
    await server.open("#/");
    await button("Appearance and keys").click();
    await page.getByRole("radio", { name: "UTC" }).waitFor();
    await findNothing();
  });
});
