import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "vite";
import { expect, it } from "vitest";
import { PROJECT_ROOT } from "../support/build.js";
import { temporaryFolder } from "../support/data-directory.js";
import { linkPackages } from "../support/snippets.js";

const APP = `
  import { createAgentApp } from "agent-inspector";
  import { createInspectorUi } from "agent-inspector/ui";
  console.log("begins");
  const app = createAgentApp({ dataDir: "data", inspector: true });
  app.route("/page", createInspectorUi());
  app.route("/copied", createInspectorUi({ assets: process.argv[2] }));
  const session = await app.sessions.open({ tenantId: "acme", title: "A title" });
  await session.startTrace().record({ type: "text", text: "hay" });
  for (const path of [
    "/__inspector/sessions",
    "/__inspector/sessions/" + session.sessionId + "/trace?tenantId=acme",
    "/page/",
    "/copied/",
  ]) {
    const response = await app.request(path);
    console.log(response.status, (await response.text()).replace(/\\n */g, " "));
  }
  await app.close();`;

/** Vite stands for all bundlers: `test/docs/bundling.soak.test.ts` compares the others. */
async function bundle(folder: string): Promise<void> {
  const source = await temporaryFolder();
  await linkPackages(source, ["hono"]);
  await writeFile(path.join(source, "app.mjs"), APP);
  await build({
    root: source,
    configFile: false,
    logLevel: "silent",
    build: { ssr: "app.mjs", outDir: folder, minify: false },
    ssr: { noExternal: true },
  });
}

it("in a bundle, the package reads without threads, says so once, and says where the page's files have to be", async () => {
  const folder = await temporaryFolder();
  await bundle(folder);
  // Files beside a bundle belong to the application, whatever their names.
  const theirs = 'import { writeFileSync } from "node:fs"; writeFileSync("ran", "");';
  for (const name of ["thread.js", "thread-pool.js", "thread.mjs"])
    await writeFile(path.join(folder, name), theirs);
  const args = ["app.mjs", path.join(PROJECT_ROOT, "dist/ui")];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  const [begins, list, trace, page, copied, ...more] = stdout.trim().split("\n");
  expect([begins, more]).toEqual(["begins", []]);
  expect(list).toMatch(/^200 .*"title":"A title"/);
  expect(trace).toMatch(/^200 .*"text":"hay"/);
  expect(page).toMatch(/^500 .*createInspectorUi\(\{ assets \}\).*docs\/bundling\.md/);
  expect(page).not.toContain(folder);
  expect(copied).toMatch(/^200 .*<meta name="inspector-api" content="\.\.\/__inspector"/);
  expect(stderr.match(/AGENT_INSPECTOR_NO_THREADS/g)).toHaveLength(1);
  expect(stderr).toContain("threads: false");
  expect(existsSync(path.join(folder, "ran"))).toBe(false);
});
