// Sends the same request again and again at a fixed rate, each without waiting for the one before it, and tells when all were answered.
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";

const [url, file, requestsASecond, seconds] = process.argv.slice(2);
const body = readFileSync(file);
const agent = new Agent({ keepAlive: true });

function post() {
  return new Promise((resolve, reject) => {
    const headers = { "Content-Type": "application/x-protobuf", "Content-Length": body.length };
    request(url, { method: "POST", headers, agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`A request was answered ${response.statusCode}`));
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
