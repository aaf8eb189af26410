import { isIP } from "node:net";
import { networkInterfaces } from "node:os";

const LOOPBACK_NAMES = ["127.0.0.1", "localhost", "[::1]"];

/** Whether a server that is bound to the host can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

function isWildcard(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

/**
 * The `Host` values that a server was started as: this machine's loopback names, and the given host. A server that is bound
 * to every address was started as each of them.
 */
export function authoritiesOf(host: string, port: number): string[] {
  const given = isWildcard(host) ? machineAddresses() : [host];
  return [...new Set([...LOOPBACK_NAMES, ...given.map(inUrl)])].map((name) => `${name}:${port}`);
}

/** The address to open in a browser on this machine. */
export function addressOf(host: string, port: number): string {
  return `http://${isWildcard(host) ? "127.0.0.1" : inUrl(host)}:${port}/`;
}

function machineAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ address }) => address);
}

/** An IPv6 address is written in brackets, without the zone that only this machine knows. */
function inUrl(host: string): string {
  return isIP(host) === 6 ? `[${host.replace(/%.*$/, "")}]` : host.toLowerCase();
}
