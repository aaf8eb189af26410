// Bundlers keep the order of modules, but run a CommonJS module in the module that imports it.
// tsyringe throws unless reflect-metadata has run, so this import needs a module of its own before tsyringe.
import "reflect-metadata";
