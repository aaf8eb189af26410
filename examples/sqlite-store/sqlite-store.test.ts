import { describeSessionStore } from "agent-inspector/testing";
import { openSqlite } from "./sqlite-store.js";

// The contract of data sources, of which a part takes seconds, is tried in sqlite-source.soak.test.ts.
describeSessionStore("the store in SQLite", () => openSqlite(":memory:"));
