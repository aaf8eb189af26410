import { it } from "vitest";
import { describeInBrowser } from "./browser/browser.js";
import { longSession } from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";
import { followLinks } from "./support/follow-links.js";

describeInBrowser("links into all of a long conversation", () => {
  const long = longSession(9000);
  const server = serveHistories([long]);

  it("lead to the calls that they name, and mark them", () => followLinks(server, long, 100));
});
