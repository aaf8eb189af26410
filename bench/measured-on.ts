import { cpus, totalmem } from "node:os";

export function measuredOn(): string {
  const [cpu] = cpus();
  const machine = `${cpus().length} × ${cpu?.model ?? "unknown"}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}`;
  const day = new Date().toISOString().slice(0, 10);
  return `Measured on ${day} with Node.js ${process.versions.node} on ${machine}`;
}
