import { tool } from "ai";
import { z } from "zod";
import type { Folder } from "./folder.js";

export function fileTools(folder: Folder) {
  return {
    list_files: tool({
      description: "List the files of a folder. Folders end in a slash.",
      inputSchema: z.object({ path: z.string().default(".") }),
      execute: ({ path }) => folder.list(path),
    }),
    read_file: tool({
      description: "Read a text file.",
      inputSchema: z.object({ path: z.string() }),
      execute: ({ path }) => folder.read(path),
    }),
    search_files: tool({
      description: "Find the lines that contain a text, in all files.",
      inputSchema: z.object({ text: z.string().min(1) }),
      execute: ({ text }) => folder.search(text),
    }),
  };
}
