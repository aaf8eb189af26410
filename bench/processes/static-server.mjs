// Yardstick: a plain server that streams ready bytes from a file, beside another route.
import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import { measureLateness } from "./measure-lateness.mjs";

measureLateness();
const server = createServer((request, response) => {
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  if (request.url === "/co-hosted") response.end('{"ok":true}');
  else createReadStream(decodeURIComponent(request.url.slice(1))).pipe(response);
});
server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port }));
process.on("disconnect", () => process.exit());
