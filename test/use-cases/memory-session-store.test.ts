import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import { describeSessionStore } from "../contract/index.js";

describeSessionStore("the store in memory", () => {
  const source = createInMemoryInspectorDataSource();
  return { store: source.sessionStore, source };
});
