// Lets tests start threads from TypeScript: `new Worker(new URL("….ts", import.meta.url))`. `--import tsx` alone does not do it in
// Node.js 20, which runs what `--import` names in every thread: there it registers its loader in the main one only.
import * as threads from "node:worker_threads";
import { register } from "tsx/esm/api";

// Later versions also run it in the thread of the loaders, which must not have itself as a loader.
if (!threads.isInternalThread) register();
