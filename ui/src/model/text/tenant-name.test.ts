import { expect, it } from "vitest";
import { tenantName, tenantOptions } from "./tenant-name.js";

it.each([
  [{ tenantId: "acme" }, "acme", "acme"],
  [{ tenantId: "a:b" }, "a:b", "a:b"],
  [{ tenantId: "data:a:b", source: "Data" }, "a:b", "data:a:b"],
  [{ tenantId: "-home-ada-shop", directory: "/home/ada/shop" }, "shop", "/home/ada/shop"],
  [{ tenantId: "-home-ada-shop", directory: "/home/ada/shop/" }, "shop", "/home/ada/shop/"],
  [
    { tenantId: "C--shop", directory: "C:\\Users\\ada\\shop", source: "Claude Code" },
    "shop",
    "C:\\Users\\ada\\shop",
  ],
  [{ tenantId: "k:-", directory: "/", source: "Claude Code" }, "-", "k:-"],
  [{ tenantId: "t", directory: "" }, "t", "t"],
])("calls %o %s", (session, name, fullName) => {
  expect(tenantName(session)).toEqual({ name, full: fullName });
});

it("offers tenants by their names, and two of one name by the whole of them", () => {
  const names = ["/b/app", "/a/app", "/a/shop"].map((directory, i) => {
    return [`t${i}`, tenantName({ tenantId: `t${i}`, directory })] as const;
  });
  expect(tenantOptions(new Map(names))).toEqual([
    { value: "t1", label: "app (/a/app)" },
    { value: "t0", label: "app (/b/app)" },
    { value: "t2", label: "shop" },
  ]);
});
