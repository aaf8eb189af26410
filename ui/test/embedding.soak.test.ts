import { afterAll, describe, type TestContext } from "vitest";
import { SOAK, type StartedApplication, startApplication } from "../../test/support/applications.js";
import {
  expectGuarded,
  expectPrefixed,
  expectRecords,
  expectSameBytes,
} from "../../test/support/embedding.js";
import { cellTests } from "../../test/support/frameworks.js";
import { ALLOWED } from "../../test/support/hosts.js";
import { describeInBrowser, open } from "./browser/browser.js";
import { row } from "./browser/page.js";

const [COOKIE = "", VALUE = ""] = ALLOWED.replace("Cookie: ", "").split("=");
const CONTEXT = {
  storageState: {
    cookies: [
      {
        ...{ name: COOKIE, value: VALUE, domain: "127.0.0.1", path: "/", expires: -1 },
        ...{ httpOnly: true, secure: false, sameSite: "Strict" as const },
      },
    ],
    origins: [],
  },
};

describe.each(Object.keys(SOAK))("docs/embedding.md in %s", (framework) => {
  let starting: Promise<StartedApplication | string> | undefined;
  afterAll(async () => {
    const application = await starting?.catch(() => undefined);
    if (typeof application === "object") await application.stop();
  });

  /** The first test installs and builds it for all. */
  async function started({ skip }: TestContext): Promise<StartedApplication> {
    starting ??= startApplication(framework);
    const application = await starting;
    return typeof application === "string" ? skip(`npm could not install ${application} here`) : application;
  }

  cellTests([framework], "records", async (_, context) => {
    await expectRecords((await started(context)).at("open"));
  });

  cellTests([framework], "prefix", async (_, context) => {
    const { at } = await started(context);
    await expectPrefixed(at("prefixed"), at("open"));
  });

  cellTests([framework], "guard", async (_, context) => {
    const { at } = await started(context);
    // A worker has no router before it: its guard is `access`.
    if (!at("open").isEdge) await expectGuarded(at("guarded"), { resolves: true, page: 401 });
    await expectGuarded(at("access"), { resolves: true, page: 200 });
  });

  describeInBrowser("Chromium", () => {
    cellTests([framework], "page in a browser", async (_, context) => {
      const mounted = (await started(context)).at("open");
      await open(`http://127.0.0.1:${mounted.port}${mounted.path}/`, { context: CONTEXT });
      await row(/A title/)
        .first()
        .waitFor();
      await expectSameBytes(mounted);
    });
  });
});
