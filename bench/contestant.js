// One sample in a process of its own: prints the milliseconds that it took.
'use strict';
const path = require('node:path');

const [, , contestant, count, work] = process.argv;
const services = Number(count);
const ours = () => require('../lib');

/** The content that all contestants write. */
function content(i) {
  return {
    name: `service-${i}`,
    annotations: {
      'service.beta.kubernetes.io/aws-load-balancer-nlb-target-type': 'ip',
      'service.beta.kubernetes.io/aws-load-balancer-scheme': 'internal',
    },
    finalizers: ['service.k8s.aws/resources'],
    loadBalancerClass: 'service.k8s.aws/nlb',
    selector: { app: `app-${i}` },
    port: 443,
  };
}

const contestants = {
  raw(chart) {
    const { ApiObject } = require('cdk8s');
    for (let i = 0; i < services; i++) {
      const { name, annotations, finalizers, loadBalancerClass, selector, port } = content(i);
      new ApiObject(chart, `Service${i}`, {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name, annotations, finalizers },
        spec: {
          type: 'LoadBalancer',
          loadBalancerClass,
          allocateLoadBalancerNodePorts: false,
          selector,
          ports: [{ port, protocol: 'TCP' }],
        },
      });
    }
  },
  plus(chart) {
    const { Service, ServiceType, Pods } = require('cdk8s-plus-27');
    for (let i = 0; i < services; i++) {
      const { name, annotations, finalizers, port, selector } = content(i);
      const pods = Pods.select(chart, `Pods${i}`, { labels: selector });
      new Service(chart, `Service${i}`, {
        metadata: { name, annotations, finalizers },
        type: ServiceType.LOAD_BALANCER,
        selector: pods,
        ports: [{ port }],
      });
    }
  },
  ours(chart) {
    const { AwsLoadBalancerController, LoadBalancedService, NlbTargetType } = ours();
    const controller = AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP });
    for (let i = 0; i < services; i++) {
      const { name, selector, port } = content(i);
      new LoadBalancedService(chart, `Service${i}`, { controller, name, selector, ports: [{ port }] });
    }
  },
};
/** Milliseconds from an empty app to written files; loading is another contest. */
function synth(fill) {
  const { App, Chart } = require('cdk8s');
  require('../lib');
  require('cdk8s-plus-27');
  global.gc?.();
  const start = process.hrtime.bigint();
  const app = new App({ outdir: path.join(work, contestant) });
  fill(new Chart(app, 'chart'));
  app.synth();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

process.stdout.write(`${synth(contestants[contestant])}\n`);
