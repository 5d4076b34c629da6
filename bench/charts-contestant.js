// One sample in a process of its own: prints the milliseconds that an app of so many charts takes, each with one of every
// construct, and with what there is once in a cluster in the first.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { ApiObject, App, Chart } = require('cdk8s');
const { Construct } = require('constructs');
const { EACH, ONCE } = require('../test/support/every-construct');

const [, , contestant, charts, work] = process.argv;

// each contestant loads its own library only, before the clock starts; an export is loaded when it is first asked for
const ours = contestant === 'raw' ? undefined : { ...require('../lib') };
const outdir = path.join(work, `charts-${contestant}-${charts}`);
const treesFile = path.join(work, `charts-${charts}.json`);

function make() {
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

function plant(scope, tree) {
  for (const [id, object, below] of tree) {
    plant(object ? new ApiObject(scope, id, object) : new Construct(scope, id), below);
  }
}

const contestants = {
  /** The same tree by cdk8s alone: each construct is a plain one, or an object. */
  raw() {
    const app = new App({ outdir });
    for (const [chart, tree] of JSON.parse(fs.readFileSync(treesFile, 'utf8'))) {
      plant(new Chart(app, chart), tree);
    }
    app.synth();
  },
  ours() {
    make().synth();
  },
  /** Writes down the trees for the other. */
  prepare() {
    fs.mkdirSync(work, { recursive: true });
    const { charts } = make();
    fs.writeFileSync(treesFile, JSON.stringify(charts.map((chart) => [chart.node.id, treeOf(chart)])));
  },
};

const start = process.hrtime.bigint();
process.stderr.write = () => true;
contestants[contestant]();
process.stdout.write(`${Number(process.hrtime.bigint() - start) / 1e6}\n`);
