import { serveLayout } from "./serve-layout.js";

serveLayout();
