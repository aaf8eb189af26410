/**
 * Calls a function as AWS does behind a function's address (payload version 2.0), for each request of a server at PORT:
 *
 *   node lambda-runtime.mjs FILE
 */
import { createServer } from "node:http";
import path from "node:path";
import { pathToFileURL } from "node:url";

const { handler } = await import(pathToFileURL(path.resolve(process.argv[2])).href);

createServer(async (request, response) => {
  const { pathname, search } = new URL(request.url, "http://function");
  const { method } = request;
  const event = {
    version: "2.0",
    rawPath: pathname,
    rawQueryString: search.slice(1),
    headers: { ...request.headers, "x-forwarded-proto": "https" },
    requestContext: { domainName: "function", http: { method, path: pathname }, requestId: "1" },
    isBase64Encoded: false,
  };
  const { statusCode, headers, body, isBase64Encoded } = await handler(event, {});
  response.writeHead(statusCode, headers);
  response.end(Buffer.from(body ?? "", isBase64Encoded ? "base64" : "utf8"));
}).listen(Number(process.env.PORT), "127.0.0.1");
