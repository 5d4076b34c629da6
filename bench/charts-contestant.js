// One sample in a process of its own: prints the milliseconds that a chart costs in an app of so many charts, each with one of
// every construct, and with what there is once in a cluster in the first.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { ApiObject, App, Chart } = require('cdk8s');
const { EACH, ONCE } = require('../test/support/every-construct');

const [, , contestant, charts, work] = process.argv;

// each contestant loads its own library only, before the clock starts; an export is loaded when it is first asked for
const ours = contestant === 'raw' ? undefined : { ...require('../lib') };
const outdir = path.join(work, `charts-${contestant}-${charts}`);
const objectsFile = path.join(work, `charts-${charts}.json`);

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

const contestants = {
  /** The same objects by cdk8s alone. */
  raw() {
    const app = new App({ outdir });
    for (const [chart, objects] of JSON.parse(fs.readFileSync(objectsFile, 'utf8'))) {
      const scope = new Chart(app, chart);
      objects.forEach((object, i) => new ApiObject(scope, `Object${i}`, object));
    }
    app.synth();
  },
  ours() {
    make().synth();
  },
  /** Writes down the objects for the other. */
  prepare() {
    fs.mkdirSync(work, { recursive: true });
    const app = make();
    const { parseAllDocuments } = require('yaml');
    app.synth();
    const read = (file) => parseAllDocuments(fs.readFileSync(path.join(outdir, file), 'utf8')).map((each) => each.toJS());
    const objects = app.charts.map(({ node: { id } }) => [id, read(`${id}.k8s.yaml`)]);
    fs.writeFileSync(objectsFile, JSON.stringify(objects));
  },
};

const start = process.hrtime.bigint();
process.stderr.write = () => true;
contestants[contestant]();
process.stdout.write(`${Number(process.hrtime.bigint() - start) / 1e6 / Number(charts)}\n`);
