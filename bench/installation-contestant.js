// One sample in a process of its own: prints the milliseconds that it took to write installations, each in an app of its own.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { ApiObject, App, Chart } = require('cdk8s');
const { parseAllDocuments } = require('yaml');

const [, , installation, contestant, count, work] = process.argv;

// each contestant loads its own library only, before the clock starts
const ours = contestant === 'ours' ? require('./whole-library') : {};

/** What the installations below write, and others by hand. */
const GOLDENS = {
  'aws-load-balancer-controller': 'aws-load-balancer-controller',
  strimzi: 'strimzi-1.2',
};

const installations = {
  'aws-load-balancer-controller'(chart) {
    new ours.AwsLoadBalancerControllerInstallation(chart, 'Controller', {
      clusterName: 'prod',
      region: 'eu-west-1',
      vpcId: 'vpc-0123456789abcdef0',
      identity: ours.AwsIdentity.podIdentity(),
      certificate: ours.WebhookCertificate.certManager(),
    });
  },
  strimzi(chart) {
    ours.LoadBalancers.of(chart).acknowledge('strimzi-crds-missing', 'this is not applied');
    new ours.StrimziClusterOperatorInstallation(chart, 'Operator', {
      version: ours.StrimziVersion.V1_2,
      watchNamespaces: ['kafka'],
    });
  },
};

function content() {
  const file = path.join(__dirname, '..', 'test', 'installations', 'goldens', `${GOLDENS[installation]}.yaml`);
  return parseAllDocuments(fs.readFileSync(file, 'utf8')).map((document) => document.toJS());
}

const objects = contestant === 'raw' ? content() : [];

const contestants = {
  /** cdk8s alone, by hand. */
  raw(chart) {
    for (const [i, object] of objects.entries()) {
      new ApiObject(chart, `${object.kind}${i}`, object);
    }
  },
  /** This library: the same content, typed and checked. */
  ours: installations[installation],
};

const namespaces = { 'aws-load-balancer-controller': 'kube-system', strimzi: 'strimzi' };
const write = contestants[contestant];
const outdir = path.join(work, `${installation}-${contestant}`);

const start = process.hrtime.bigint();
for (let i = 0; i < Number(count); i++) {
  const app = new App({ outdir });
  write(new Chart(app, 'system', contestant === 'ours' ? { namespace: namespaces[installation] } : {}));
  app.synth();
}
process.stdout.write(`${Number(process.hrtime.bigint() - start) / 1e6}\n`);
