import { describeSessionStore } from "agent-inspector/testing";
import { openSqlite } from "./sqlite-store.js";

// sqlite-source.soak.test.ts has the contract of data sources, which takes seconds.
describeSessionStore("the store in SQLite", () => openSqlite(":memory:"));
