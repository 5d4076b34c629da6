const { realpathSync } = require('node:fs');
const Module = require('node:module');
const { join, sep } = require('node:path');
const { Script } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const ROOT = join(__dirname, '..', '..');
const SRC = join(ROOT, 'src') + sep;
const PACKAGES = realpathSync(join(ROOT, 'node_modules')) + sep;

/** Scripts of files that each file of tests runs anew, compiled once. */
const scripts = new Map();
/** Where the source maps of the shared modules are. */
const sourceMaps = new Map();
let transform;

/** What parses all of `src`. */
const PARSERS = ['sources.ts', 'public-surface.ts'].map((name) => join(ROOT, 'test', 'support', name));

const isOwn = (path) => path.startsWith(SRC) || PARSERS.includes(path);
const isShared = (path) => isOwn(path) || path.startsWith(PACKAGES);

Module._extensions['.ts'] ??= (module, path) => module._compile(transform(path), path);

/** Loads modules of `src` and of packages once in a worker, and all others for each file of tests; see environment.cjs. */
module.exports = class extends Runtime {
  constructor(...args) {
    super(...args);
    const { watch, watchAll } = args.at(-1);
    if (watch || watchAll) {
      // edited since the last run
      for (const path of Object.keys(require.cache).filter(isOwn)) {
        delete require.cache[path];
      }
    }
    this.executor.compile = (source, path) => this.compiled(source, path);
    transform = (path) => {
      const code = this.transformCache.transform(path, {});
      sourceMaps.set(path, this.transformCache.getSourceMaps().get(path));
      return code;
    };
  }

  requireModule(from, name, options, isActual) {
    if (this._environment.sharesModules && name !== undefined && !this._resolution.isCoreModule(name)) {
      const path = this._resolution.resolveCjs(from, name);
      if (isShared(path)) {
        return require(path);
      }
    }
    return super.requireModule(from, name, options, isActual);
  }

  getSourceMaps() {
    const own = super.getSourceMaps();
    for (const [path, map] of sourceMaps) {
      own.set(path, map);
    }
    return own;
  }

  compiled(source, filename) {
    const context = this._environment.getVmContext();
    if (!context) {
      return null;
    }
    let kept = scripts.get(filename);
    if (kept?.source !== source) {
      const wrapped = `(function (${this.executor.injectedModuleParameters}) {${source}\n})`;
      kept = { source, script: new Script(wrapped, { filename }) };
      scripts.set(filename, kept);
    }
    return this._environment.sharesModules ? kept.script.runInThisContext() : kept.script.runInContext(context);
  }
};
