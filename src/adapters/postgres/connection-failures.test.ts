import { describe, expect, it } from "vitest";
import { connectionFailureText, failureOf } from "./connection-failures.js";

describe("A failure of the database to be there", () => {
  it.each([
    [{ code: "28P01" }, "the password is wrong"],
    [
      { message: "SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string" },
      "the password is wrong",
    ],
    [{ code: "08P01", message: "SASL authentication failed" }, "the password is wrong"],
    [{ code: "08P01", message: "no such database: agents" }, "no such database"],
    [{ code: "08P01", message: "query_wait_timeout" }, "pooler"],
    [{ code: "08P01", message: "something else" }, "connection to the database broke"],
    [{ code: "28000" }, "pg_hba.conf"],
    [{ code: "3D000" }, "no such database"],
    [{ code: "ECONNREFUSED" }, "whether the server runs"],
    [{ code: "EHOSTUNREACH" }, "firewalls"],
    [{ message: "Connection terminated due to connection timeout" }, "firewalls"],
    [{ message: "timeout exceeded when trying to connect" }, "`maxConnections`"],
    [{ code: "DEPTH_ZERO_SELF_SIGNED_CERT" }, "sslrootcert"],
    [{ code: "53300" }, "no connection left"],
    [{ code: "53100" }, "disk space"],
    [{ code: "57P03" }, "starting or shutting down"],
    [{ code: "25006" }, "Write to the primary server"],
    [{ code: "08001", severity: "ERROR" }, "one of the servers"],
    [{ code: "08006" }, "connection to the database broke"],
    [{ message: "Connection terminated unexpectedly" }, "connection to the database broke"],
  ])("is told for %j", (error, advice) => {
    expect(connectionFailureText(error)).toContain(advice);
  });

  it.each([
    [
      "repair",
      ["28P01", "28000", "3D000", "57P04", "42P01", "3F000", "42703", "42501", "53100", "58030", "25006"],
    ],
    ["undone", ["40001", "40P01", "55P03"]],
    [
      "again",
      ["ECONNREFUSED", "ENOTFOUND", "ETIMEDOUT", "ECONNRESET", "53200", "53300", "57P01", "57P03", "25P03"],
    ],
    [undefined, ["22021", "22P05", "23514", "54000", "57014", "42601", "XX000"]],
  ])("needs the remedy %s for %j", (remedy, codes) => {
    for (const code of codes) expect([code, failureOf({ code })?.remedy]).toEqual([code, remedy]);
  });

  it("is that of the first address that says one", () => {
    const each = [new Error("?"), Object.assign(new Error("?"), { code: "ECONNREFUSED" })];
    expect(connectionFailureText(new AggregateError(each))).toContain("whether the server runs");
  });

  it("is not an error of a statement, whatever its message says", () => {
    expect(connectionFailureText({ code: "42601", message: "Connection terminated" })).toBeUndefined();
    expect(connectionFailureText(new Error("row"))).toBeUndefined();
  });
});
