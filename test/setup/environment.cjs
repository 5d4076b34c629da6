const { AsyncLocalStorage } = require('node:async_hooks');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Storages that were entered: jest has one for each file, and every promise pays for each that is left on. */
const storages = new Set();

for (const name of ['run', 'enterWith']) {
  const enter = AsyncLocalStorage.prototype[name];
  AsyncLocalStorage.prototype[name] = function (...args) {
    storages.add(this);
    return enter.apply(this, args);
  };
}

/**
 * Tests in the realm of the process, where modules of `src` and of packages are loaded once for many files: see runtime.cjs. What a
 * file changes of the process and spies on is put back when it ends. `@jest-environment node` gives a file a realm and modules of its
 * own.
 */
module.exports = class {
  sharesModules = true;
  global = globalThis;
  // jest asks for it where it would load a module in another realm
  fakeTimers = null;

  constructor({ projectConfig }) {
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.kept = { env: { ...process.env }, cwd: process.cwd(), exit: process.exit, exitCode: process.exitCode };
  }

  async setup() {}

  async teardown() {
    for (const storage of storages) {
      storage.disable();
    }
    storages.clear();
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    const { env, cwd, exit, exitCode } = this.kept;
    for (const name of Object.keys(process.env).filter((name) => !(name in env))) {
      delete process.env[name];
    }
    Object.assign(process.env, env);
    process.chdir(cwd);
    Object.assign(process, { exit, exitCode });
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return globalThis;
  }
};
