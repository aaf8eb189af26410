// Lets a process, and the worker threads that it starts, run TypeScript source. (`--import tsx` alone leaves threads out.)
import { register } from "tsx/esm/api";

register();
