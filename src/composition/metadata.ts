// Bundlers keep the order of modules, but run a CommonJS module inside its importer. tsyringe throws without reflect-metadata, so this
// import needs a separate module.
import "reflect-metadata";
