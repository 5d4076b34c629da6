// Rewrites every compiled module so that it loads what it imports when it first uses it, not when it is loaded itself. Node reads
// every export of a CommonJS module that an ES module imports: only what the classes themselves are made of is loaded then.
//
// `const x_1 = require("./x")` becomes an object whose `m` is that module, and `x_1.y` becomes `x_1.m.y`. Lines stay where they are. An
// import that is used in any other way is left as it is.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const ts = require('typescript');

const lib = path.join(__dirname, '..', 'lib');
for (const file of fs.readdirSync(lib, { recursive: true })) {
  if (file.endsWith('.js') && path.basename(file) !== 'index.js') {
    makeLazy(path.join(lib, file));
  }
}

function makeLazy(file) {
  const text = fs.readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const imports = new Map(source.statements.flatMap(requireOf).map((found) => [found.name.text, { ...found, uses: [] }]));
  visit(source);
  const edits = [...imports.values()].filter(({ uses }) => uses !== undefined).flatMap(editsOf);
  if (edits.length > 0) {
    fs.writeFileSync(file, edited(text, edits));
  }

  function visit(node) {
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
  return isRequire ? [{ name, initializer }] : [];
}

function isNameOfMember({ parent, text }) {
  return parent.name?.text === text && (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent));
}

function editsOf({ initializer, uses }) {
  const module = initializer.getText();
  const lazy = `{ get m() { const m = ${module}; Object.defineProperty(this, "m", { value: m }); return m; } }`;
  return [
    { from: initializer.getStart(), to: initializer.getEnd(), text: lazy },
    ...uses.map((use) => ({ from: use.getEnd(), to: use.getEnd(), text: '.m' })),
  ];
}

function edited(text, edits) {
  let result = text;
  for (const { from, to, text: put } of edits.sort((one, other) => other.from - one.from)) {
    result = result.slice(0, from) + put + result.slice(to);
  }
  return result;
}
