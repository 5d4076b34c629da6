// Rewrites every compiled module so that it loads what it imports when it first uses it, not when it is loaded itself. Node reads
// every export of a CommonJS module that an ES module imports: only what the classes themselves are made of is loaded then.
//
// `const x_1 = require("./x")` becomes `const $1 = $(() => require("./x"))`, an object whose `m` is that module, and `x_1.y` becomes
// `$1.m.y`. An import that is used in any other way is left as it is.
//
// `yaml` is loaded from lib/yaml.js, which has all of that package in one file.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { buildSync } = require('esbuild');
const ts = require('typescript');

const LAZY =
  'const $ = (load) => ({ get m() { const m = load(); Object.defineProperty(this, "m", { value: m }); return m; } });';

const lib = path.join(__dirname, '..', 'lib');
buildSync({
  entryPoints: [path.join(__dirname, '..', 'node_modules', 'yaml', 'browser', 'index.js')],
  outfile: path.join(lib, 'yaml.js'),
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  minify: true,
});
for (const file of fs.readdirSync(lib, { recursive: true })) {
  if (file.endsWith('.js') && path.basename(file) !== 'index.js' && !['yaml.js', 'every-class.js'].includes(file)) {
    makeLazy(path.join(lib, file));
  }
}

function makeLazy(file) {
  const yaml = `require("${path.relative(path.dirname(file), path.join(lib, 'yaml.js'))}")`;
  const text = fs.readFileSync(file, 'utf8').replace('require("yaml")', yaml);
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const imports = new Map(source.statements.flatMap(requireOf).map((found) => [found.name.text, { ...found, uses: [] }]));
  visit(source);
  const lazy = [...imports.values()].filter(({ uses }) => uses !== undefined);
  if (lazy.length > 0) {
    const [first] = lazy;
    fs.writeFileSync(file, edited(text, [insertion(first.statement.getStart(), LAZY), ...lazy.flatMap(editsOf)]));
  }

  function visit(node) {
    if (imports.size > 0 && ts.isIdentifier(node) && /^\$\d*$/.test(node.text)) {
      throw new Error(`${file} has the name ${node.text}, by which that of an import is replaced`);
    }
    const found = ts.isIdentifier(node) ? imports.get(node.text) : undefined;
    if (found?.uses !== undefined && node !== found.name && !isNameOfMember(node)) {
      const { parent } = node;
      const isRead = ts.isPropertyAccessExpression(parent) && parent.expression === node;
      found.uses = isRead ? [...found.uses, node] : undefined;
    }
    ts.forEachChild(node, visit);
  }
}

/** The statement `const NAME = require("MODULE")`. */
function requireOf(statement) {
  const declarations = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [];
  if (declarations.length !== 1 || !ts.isIdentifier(declarations[0].name)) {
    return [];
  }
  const { name, initializer } = declarations[0];
  const isRequire = initializer && ts.isCallExpression(initializer) && initializer.expression.getText() === 'require';
  return isRequire ? [{ statement, name, initializer }] : [];
}

function isNameOfMember({ parent, text }) {
  return parent.name?.text === text && (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent));
}

function editsOf({ name, initializer, uses }, index) {
  return [
    replacement(name, `$${index}`),
    replacement(initializer, `$(() => ${initializer.getText()})`),
    ...uses.map((use) => replacement(use, `$${index}.m`)),
  ];
}

function insertion(at, text) {
  return { from: at, to: at, text };
}

function replacement(node, text) {
  return { from: node.getStart(), to: node.getEnd(), text };
}

function edited(text, edits) {
  let result = text;
  for (const { from, to, text: put } of edits.sort((one, other) => other.from - one.from)) {
    result = result.slice(0, from) + put + result.slice(to);
  }
  return result;
}
