import { serveEngine } from "./serve-engine.js";

serveEngine();
