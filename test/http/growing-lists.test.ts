import { appendFile, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import { inspect } from "../support/inspector.js";
import { at, envelope, SAMPLE } from "../support/sample.js";
import { appendLines, filesystemSource, fiveMethods, writeDataDir } from "../support/sources.js";
