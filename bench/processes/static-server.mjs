// Yardstick: a plain server that streams ready bytes from a file.
import { createReadStream } from "node:fs";
import { createServer } from "node:http";

const server = createServer((request, response) => {
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  createReadStream(decodeURIComponent(request.url.slice(1))).pipe(response);
});
server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port }));
process.on("message", () => process.send({ maxDelayMs: 0 }));
process.on("disconnect", () => process.exit());
