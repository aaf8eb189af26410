// Sends the same request at a fixed rate, without waiting for answers. In the end it reports the number of accepted requests: the others
// were 503 with a time to retry.
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";

const [url, file, requestsASecond, seconds] = process.argv.slice(2);
const body = readFileSync(file);
const agent = new Agent({ keepAlive: true });

let taken = 0;

function post() {
  return new Promise((resolve, reject) => {
    const headers = { "Content-Type": "application/x-protobuf", "Content-Length": body.length };
    request(url, { method: "POST", headers, agent }, (response) => {
      const isBusy = response.statusCode === 503 && response.headers["retry-after"] !== undefined;
      if (response.statusCode === 200) taken++;
      else if (!isBusy) reject(new Error(`A request was answered ${response.statusCode}`));
      response.resume().on("end", resolve);
    })
      .on("error", reject)
      .end(body);
  });
}

const sent = [];
const begun = performance.now();
for (let n = 0; n < seconds * requestsASecond; n++) {
  await wait(Math.max(0, begun + (n * 1_000) / requestsASecond - performance.now()));
  sent.push(post());
}
await Promise.all(sent);
agent.destroy();
process.send({ taken });
process.disconnect();
