// Receives responses and discards their bytes; reports duration and size of each.
import { get } from "node:http";

const take = (url) =>
  new Promise((resolve, reject) => {
    const begun = performance.now();
    get(url, { agent: false }, (response) => {
      let bytes = 0;
      response.on("data", (chunk) => {
        bytes += chunk.length;
      });
      response.on("end", () =>
        resolve({ ms: performance.now() - begun, bytes, status: response.statusCode }),
      );
      response.on("error", reject);
    }).on("error", reject);
  });

process.on("message", async ({ url, atOnce }) => {
  try {
    process.send(await Promise.all(Array.from({ length: atOnce }, () => take(url))));
  } catch (error) {
    process.send({ error: String(error) });
  }
});
process.on("disconnect", () => process.exit());
