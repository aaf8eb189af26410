// Generates src/adapters/otlp-receiver/descriptor.ts from the .proto files beside it: run it when they change.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import protobuf from "protobufjs";

const FOLDER = fileURLToPath(new URL("../src/adapters/otlp-receiver/", import.meta.url));
const PROTO = path.join(FOLDER, "proto");
const FILES = ["opentelemetry/proto/collector/trace/v1/trace_service.proto", "google/rpc/status.proto"];

/** Messages and enumerations by package, without parts that binary decoding does not need. */
export function descriptorOf() {
  const root = new protobuf.Root();
  root.resolvePath = (_, target) => path.join(PROTO, target);
  root.loadSync(FILES.map((file) => file));
  return packagesIn(JSON.parse(JSON.stringify(root.toJSON(), withoutNames)), "");
}

function withoutNames(name, value) {
  return name === "protoName" || name === "reserved" || name === "options" ? undefined : value;
}

function packagesIn({ nested }, name) {
  const members = Object.entries(nested).filter(([, member]) => !("methods" in member));
  const types = members.filter(([, member]) => "fields" in member || "values" in member);
  if (types.length > 0) return { [name]: Object.fromEntries(types) };
  const inner = members.map(([part, member]) => packagesIn(member, name === "" ? part : `${name}.${part}`));
  return Object.assign({}, ...inner);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = path.join(FOLDER, "descriptor.ts");
  writeFileSync(
    file,
    `/**
 * Made by \`scripts/otlp-descriptor.mjs\` of the files in \`proto\`: opentelemetry-proto v1.7.0, © OpenTelemetry Authors, and
 * google.rpc.Status, © Google LLC. Both under the Apache License 2.0.
 */
export const DESCRIPTOR = ${JSON.stringify(descriptorOf())};
`,
  );
  spawnSync("npx", ["biome", "check", "--write", file], { stdio: "inherit" });
}
