import type { InspectorUseCases } from "../../../application/questions/use-cases.js";
import { compareTool } from "./compare-tool.js";
import { contextAtCallTool } from "./context-tool.js";
import { listSessionsTool } from "./list-tool.js";
import { messagesTool } from "./messages-tool.js";
import { searchTool } from "./search-tool.js";
import { sessionSummaryTool } from "./summary-tool.js";
import type { Tool } from "./tool.js";
import { traceSliceTool } from "./trace-tool.js";
import { usageTool } from "./usage-tool.js";

export const TOOLS: readonly ((useCases: InspectorUseCases) => Tool)[] = [
  listSessionsTool,
  searchTool,
  usageTool,
  sessionSummaryTool,
  compareTool,
  traceSliceTool,
  messagesTool,
  contextAtCallTool,
];
