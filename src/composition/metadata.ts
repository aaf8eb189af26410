// tsyringe throws where this has not run before it. Bundlers put modules in order, but not what they make of a CommonJS module: it runs
// where it is imported, which has to be a module that comes before tsyringe.
import "reflect-metadata";
