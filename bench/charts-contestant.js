// One sample in a process of its own: prints the milliseconds that an app of so many charts takes, each with one of every
// construct, and with what there is once in a cluster in the first.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { ApiObject, App, Chart } = require('cdk8s');
const { Construct } = require('constructs');
const { EACH, ONCE } = require('../test/support/every-construct');

const [, , contestant, charts, work] = process.argv;

// each contestant loads its own library only, before the clock starts
const ours = contestant === 'raw' ? undefined : require('./whole-library');
const folderOf = (name) => path.join(work, `charts-${name}-${charts}`);
const outdir = folderOf(contestant);
const treesFile = path.join(work, `charts-${charts}.json`);

function make(outdir) {
  const app = new App({ outdir });
  for (let i = 0; i < Number(charts); i++) {
    const chart = new Chart(app, `team-${i}`, { namespace: `team-${i}` });
    for (const construct of Object.values({ ...EACH, ...(i === 0 && ONCE) })) {
      construct(chart, ours, { i });
    }
  }
  return app;
}

/** What is below a construct: IDs, objects, and what is below them. */
function treeOf({ node }) {
  return node.children.map((child) => [
    child.node.id,
    ApiObject.isApiObject(child) ? child.toJson() : undefined,
    treeOf(child),
  ]);
}

/** Classes by their names: what walks a tree is slower where it meets many classes, whoever wrote them. */
const classes = new Map();

function classOf(base, name) {
  const key = `${base.name}/${name}`;
  if (!classes.has(key)) {
    const field = `field${classes.size}`;
    classes.set(
      key,
      class extends base {
        constructor(scope, id, props) {
          super(scope, id, props);
          this[field] = true;
        }
      },
    );
  }
  return classes.get(key);
}

function plant(scope, tree) {
  for (const [id, object, below] of tree) {
    const Kind = classOf(object ? ApiObject : Construct, object ? object.kind : id);
    plant(new Kind(scope, id, object), below);
  }
}

const contestants = {
  /** The same tree by cdk8s alone: each construct is of a plain class of its own, or an object of a class for its kind. */
  raw() {
    const app = new App({ outdir });
    for (const [chart, tree] of JSON.parse(fs.readFileSync(treesFile, 'utf8'))) {
      plant(new Chart(app, chart), tree);
    }
    app.synth();
  },
  /** The first synth: nothing was written that its protection could compare with. */
  ours() {
    make(outdir).synth();
  },
  /** The same again, over what was written. */
  again() {
    make(outdir).synth();
  },
  /** Writes down the trees for the first other, and what is written for the second. */
  prepare() {
    fs.mkdirSync(work, { recursive: true });
    const { charts } = make(outdir);
    fs.writeFileSync(treesFile, JSON.stringify(charts.map((chart) => [chart.node.id, treeOf(chart)])));
    make(folderOf('again')).synth();
  },
};

if (contestant !== 'again') {
  fs.rmSync(outdir, { recursive: true, force: true });
}
const start = process.hrtime.bigint();
process.stderr.write = () => true;
contestants[contestant]();
process.stdout.write(`${Number(process.hrtime.bigint() - start) / 1e6}\n`);
