import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { countCalls, recordFileCalls } from "./count-file-calls.js";
import { temporaryFolder } from "./data-directory.js";

it("counts what the main thread calls, in every way of calling it", async () => {
  const folder = await temporaryFolder();
  const file = path.join(folder, "file");
  await writeFile(file, "twelve bytes");
  const calls = await recordFileCalls(
    `import fs, { closeSync, fstatSync, lstat, openSync, readSync, realpathSync, statSync } from "node:fs";
     import { open, readdir, readFile, stat } from "node:fs/promises";
     import { promisify } from "node:util";
     const [, , folder, file] = process.argv;
     statSync(file);
     fs.statSync(file);
     await stat(file);
     await promisify(lstat)(file);
     realpathSync(file);
     realpathSync.native(file);
     await readdir(folder);
     await stat(file + " that is not there").catch(() => {});
     stage("reading");
     const number = openSync(file);
     readSync(number, Buffer.alloc(5));
     fstatSync(number);
     closeSync(number);
     const handle = await open(file);
     await handle.read(Buffer.alloc(7));
     await handle.stat();
     await handle.close();
     for await (const _ of fs.createReadStream(file));
     await readFile(file);`,
    { below: folder, args: [folder, file] },
  );
  expect(countCalls(calls, "")).toEqual({ stat: 4, lstat: 1, realpath: 2, readdir: 1 });
  expect(calls.filter(({ error }) => error !== undefined)).toMatchObject([{ call: "stat", error: "ENOENT" }]);
  expect(countCalls(calls, "reading")).toEqual({ open: 3, read: 4, fstat: 2, close: 3, readFile: 1 });
  expect(calls.flatMap(({ bytes }) => bytes ?? [])).toEqual([5, 7, 12, 0]);
});

it("counts what threads call, however they were started and ended", async () => {
  const folder = await temporaryFolder();
  const thread = path.join(folder, "thread.mjs");
  await writeFile(
    thread,
    `import { openSync, statSync } from "node:fs";
     import { parentPort, workerData } from "node:worker_threads";
     const files = workerData;
     for (const file of files) statSync(file);
     openSync(files[0]);
     parentPort.postMessage("done");
     setInterval(() => {}, 1_000);`,
  );
  const file = path.join(folder, "file");
  await writeFile(file, "");
  const calls = await recordFileCalls(
    `import { once } from "node:events";
     import { Worker } from "node:worker_threads";
     const [, , thread, file] = process.argv;
     for (const options of [{}, { env: {} }, { execArgv: [] }]) {
       const worker = new Worker(thread, { workerData: [file, file, file], ...options });
       await once(worker, "message");
       await worker.terminate();
     }`,
    { below: file, args: [thread, file] },
  );
  expect(countCalls(calls)).toEqual({ stat: 9, open: 3 });
  expect(new Set(calls.map((call) => call.thread)).size).toBe(3);
});
