// One sample in a process of its own: prints the milliseconds that it took to write a shared load balancer with many tenants,
// each in a chart of its own.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { ApiObject, App, Chart } = require('cdk8s');

const [, , contestant, tenants, work] = process.argv;
const PORTS = 10;

// each contestant loads its own library only, before the clock starts
const ours = contestant === 'raw' ? undefined : require('./whole-library');
const names = Array.from({ length: Number(tenants) }, (_, i) => `tenant-${String(i).padStart(3, '0')}`);
const lock = path.join(work, `tenants-${tenants}.lock.json`);
const objectsFile = path.join(work, `tenants-${tenants}.json`);

/** Each tenant has one Service with ten ports, one balancer takes them all. */
function write(app) {
  const platform = new Chart(app, 'platform', { namespace: 'infra' });
  const shared = new ours.SharedLoadBalancer(platform, 'Shared', {
    engine: ours.SharedLoadBalancerEngine.envoyGateway({
      replicas: 2,
      controller: ours.MetalLb.bgp(),
    }),
    hostname: 'tcp.example.com',
    portLock: lock,
  });
  names.forEach((tenant, i) => {
    shared.addTenant(tenant, { maxConnections: 1000 });
    shared.attach(new Chart(app, tenant, { namespace: tenant }), {
      tenant,
      service: 'db',
      ports: Array.from({ length: PORTS }, (_, port) => ({ port: 10000 + i * PORTS + port })),
    });
  });
  return app;
}

const contestants = {
  /** The same objects by cdk8s alone: one chart for each file. */
  raw(outdir) {
    const app = new App({ outdir });
    for (const [chart, objects] of JSON.parse(fs.readFileSync(objectsFile, 'utf8'))) {
      const scope = new Chart(app, chart);
      objects.forEach((object, i) => new ApiObject(scope, `Object${i}`, object));
    }
    app.synth();
  },
  ours(outdir) {
    write(new App({ outdir })).synth();
  },
  /** Writes down what the others need: the lock file, and the objects. */
  prepare(outdir) {
    const requests = path.join(work, `tenants-${tenants}.requests`);
    process.env.CDK8S_LOAD_BALANCERS_PORT_REQUESTS = requests;
    write(new App({ outdir })).synth();
    delete process.env.CDK8S_LOAD_BALANCERS_PORT_REQUESTS;
    const { assignPorts } = require('../lib/tenancy/ports/assign-ports');
    const { PortLock } = require('../lib/tenancy/ports/port-lock');
    const { shared, rules, requests: asked } = JSON.parse(fs.readFileSync(requests, 'utf8').trim().split('\n').pop());
    const { assigned } = assignPorts(asked, new Map(), rules);
    fs.writeFileSync(lock, PortLock.read(lock).with(shared, assigned).toText());
    const charts = write(new App({ outdir })).charts.map((chart) => [chart.node.id, chart.toJson()]);
    fs.writeFileSync(objectsFile, JSON.stringify(charts));
  },
};

const start = process.hrtime.bigint();
contestants[contestant](path.join(work, `tenants-${contestant}-${tenants}`));
process.stdout.write(`${Number(process.hrtime.bigint() - start) / 1e6}\n`);
