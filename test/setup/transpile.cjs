const { createHash } = require('node:crypto');
const { existsSync, readFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { transformSync, version } = require('esbuild');

/** TypeScript for Jest, transpiled file by file; types are checked by `npx projen types`. */
const OPTIONS = { loader: 'ts', format: 'cjs', target: 'node20', sourcemap: 'inline' };

const EXPORT_ALL = /^export \* from '(.+)';$/gm;
const EXPORT = /^export (?:abstract )?(?:class|enum|function|const) (\w+)/gm;

function moduleAt(path) {
  return [`${path}.ts`, join(path, 'index.ts')].find(existsSync);
}

/** The names that a module exports at run time. */
function namesIn(file) {
  const text = readFileSync(file, 'utf8');
  const own = [...text.matchAll(EXPORT)].map(([, name]) => name);
  const others = [...text.matchAll(EXPORT_ALL)].flatMap(([, path]) => namesIn(moduleAt(join(dirname(file), path))));
  return [...own, ...others];
}

/** An index loads a module when one of its names is first asked for, as that of the package does. */
function lazyIndex(text, file) {
  return text.replaceAll(EXPORT_ALL, (_, path) =>
    namesIn(moduleAt(join(dirname(file), path)))
      .map(
        (name) =>
          `Object.defineProperty(exports, '${name}', { enumerable: true, get: () => require('${path}').${name} });`,
      )
      .join(''),
  );
}

const isIndex = (file) => /\/src\/([\w-]+\/)*index\.ts$/.test(file);

const read = (text, file) => (isIndex(file) ? lazyIndex(text, file) : text);

module.exports = {
  canInstrument: false,
  getCacheKey: (text, file) =>
    createHash('sha256')
      .update(JSON.stringify([version, OPTIONS, file, read(text, file)]))
      .digest('hex'),
  process: (text, file) => transformSync(read(text, file), { ...OPTIONS, sourcefile: file }),
};
