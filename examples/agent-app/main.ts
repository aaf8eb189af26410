import { serve } from "@hono/node-server";
import { createApp } from "./app.js";
import { modelFrom } from "./model.js";

const { PORT = "3000", DATA_DIR = "./data", FOLDER = import.meta.dirname } = process.env;
const model = modelFrom(process.env);
const app = createApp({ dataDir: DATA_DIR, folder: FOLDER, model });

serve({ fetch: app.fetch, port: Number(PORT), hostname: "127.0.0.1" }, ({ port }) => {
  console.log(`Chat at http://127.0.0.1:${port}/chat with ${model.modelId}, histories in ${DATA_DIR}`);
});
