// One sample in a process of its own: prints the milliseconds that it took, from an empty app to written files; for a curve the MiB
// that the process took, too.
'use strict';
const path = require('node:path');
const { ApiObject, App, Chart } = require('cdk8s');

const [, , contestant, count, work] = process.argv;

// each contestant loads its own library only, before the clock starts
const plus = contestant.startsWith('plus') ? require(`cdk8s-${contestant}`) : undefined;
const ours = contestant === 'ours' ? require('../lib') : undefined;
const LoadBalancedService = ours?.LoadBalancedService;
const controller = ours?.AwsLoadBalancerController.nlb({ targetType: ours.NlbTargetType.IP });

/** The content that all contestants write. */
function content(i) {
  return {
    name: `service-${i}`,
    annotations: {
      'service.beta.kubernetes.io/aws-load-balancer-nlb-target-type': 'ip',
      'service.beta.kubernetes.io/aws-load-balancer-scheme': 'internal',
    },
    finalizers: ['service.k8s.aws/resources'],
    selector: { app: `app-${i}` },
    port: 443,
  };
}

const contestants = {
  /** cdk8s alone, by hand. */
  raw(chart, i) {
    const { name, annotations, finalizers, selector, port } = content(i);
    new ApiObject(chart, `Service${i}`, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, annotations, finalizers },
      spec: {
        type: 'LoadBalancer',
        loadBalancerClass: 'service.k8s.aws/nlb',
        allocateLoadBalancerNodePorts: false,
        selector,
        ports: [{ port, protocol: 'TCP' }],
      },
    });
  },
  /** cdk8s-plus, which has no words for class and node ports. */
  plus(chart, i) {
    const { name, annotations, finalizers, selector, port } = content(i);
    new plus.Service(chart, `Service${i}`, {
      metadata: { name, annotations, finalizers },
      type: plus.ServiceType.LOAD_BALANCER,
      selector: plus.Pods.select(chart, `Pods${i}`, { labels: selector }),
      ports: [{ port, protocol: plus.Protocol.TCP }],
    });
  },
  /** This library: the same content, decided and checked. */
  ours(chart, i) {
    const { name, selector, port } = content(i);
    new LoadBalancedService(chart, `Service${i}`, { controller, name, selector, ports: [{ port }] });
  },
};

function synth(services) {
  const app = new App({ outdir: path.join(work, contestant) });
  const chart = new Chart(app, 'chart');
  for (let i = 0; i < services; i++) {
    contestants[plus ? 'plus' : contestant](chart, i);
  }
  app.synth();
}

/** The best of as many runs as make 10,000 Services, in a warm process: what a Service costs, in microseconds. */
function costOfOne(services) {
  synth(2_000);
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 10_000 / services; run++) {
    const start = process.hrtime.bigint();
    synth(services);
    best = Math.min(best, Number(process.hrtime.bigint() - start) / 1e3 / services);
  }
  return best;
}

function whole(services) {
  // what is loaded when it is first used, is before the clock starts
  synth(1);
  const start = process.hrtime.bigint();
  synth(services);
  return Number(process.hrtime.bigint() - start) / 1e6;
}

const modes = {
  whole,
  each: costOfOne,
  curve: (services) => `${whole(services)} ${process.resourceUsage().maxRSS / 1024}`,
};

const [services, mode = 'whole'] = count.split('-');
process.stdout.write(`${modes[mode](Number(services))}\n`);
