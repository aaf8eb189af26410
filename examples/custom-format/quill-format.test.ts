import path from "node:path";
import { describeHistoryFormat } from "agent-inspector/testing";
import quillFormat from "./quill-format.js";

describeHistoryFormat(quillFormat, [
  { name: "a failed call", folder: path.join(import.meta.dirname, "histories/apples") },
]);
