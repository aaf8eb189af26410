import { describe, expect, it } from "vitest";
import { addressOf, authoritiesOf, isLoopback } from "./serve.js";

describe("a server's address", () => {
  it.each(["127.0.0.1", "127.0.0.2", "localhost", "::1"])("%s is reached from this machine only", (host) => {
    expect(isLoopback(host)).toBe(true);
  });

  it.each(["0.0.0.0", "::", "192.168.1.5", "127.evil.example"])("%s is reached from elsewhere", (host) => {
    expect(isLoopback(host)).toBe(false);
  });

  it("is the loopback names and the given host, with the port", () => {
    expect(authoritiesOf("192.168.1.5", 4680)).toEqual([
      "127.0.0.1:4680",
      "localhost:4680",
      "[::1]:4680",
      "192.168.1.5:4680",
    ]);
    expect(authoritiesOf("127.0.0.1", 1)).toEqual(["127.0.0.1:1", "localhost:1", "[::1]:1"]);
  });

  it("is never the wildcard itself", () => {
    expect(authoritiesOf("0.0.0.0", 4680)).not.toContain("0.0.0.0:4680");
  });

  it.each([
    ["127.0.0.1", "http://127.0.0.1:4680/"],
    ["0.0.0.0", "http://127.0.0.1:4680/"],
    ["::1", "http://[::1]:4680/"],
    ["My-Laptop.local", "http://my-laptop.local:4680/"],
  ])("of %s is opened as %s", (host, address) => {
    expect(addressOf(host, 4680)).toBe(address);
  });
});
