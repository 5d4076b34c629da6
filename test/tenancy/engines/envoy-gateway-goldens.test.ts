import { join } from 'node:path';
import { Size, Yaml } from 'cdk8s';
import { type LoadBalancerPlan, NodePool, NodeTaint, TrafficPolicy } from '../../../src';
import { envoyDocuments, gatewayClientPolicy } from '../../../src/tenancy/engines/envoy-gateway/documents';
import { envoyProxy } from '../../../src/tenancy/engines/envoy-gateway/engine';
import { ENVOY_GATEWAY_VERSION } from '../../../src/tenancy/engines/envoy-gateway/facts';
import { expectGolden } from '../../support/golden-files';

const plan: LoadBalancerPlan = {
  owner: 'aws-load-balancer-controller',
  annotations: { 'service.beta.kubernetes.io/aws-load-balancer-scheme': 'internal' },
  loadBalancerClass: 'service.k8s.aws/nlb',
  externalTrafficPolicy: TrafficPolicy.LOCAL,
  allocateLoadBalancerNodePorts: false,
  sourceRanges: ['10.0.0.0/8'],
  finalizers: ['service.k8s.aws/resources'],
  sessionAffinity: {},
};

test('what a tenant and the Gateway get of the kinds of Envoy Gateway is written as it was checked', () => {
  const gateway = { name: 'shared', namespace: 'infra' };
  const documents = [
    envoyProxy({
      ...gateway,
      replicas: 2,
      plan,
      serviceName: 'shared',
      proxies: {
        nodePool: NodePool.labeled(
          { 'example.com/pool': 'edge' },
          { taints: [NodeTaint.noSchedule('example.com/edge', 'true')], zones: ['a', 'b'] },
        ),
        priorityClassName: 'edge',
        resources: { cpuLimit: '2', memoryLimit: Size.gibibytes(2) },
      },
      drain: { least: 30, whole: 300, ready: 30 },
      front: { name: 'aws-load-balancer-controller' },
    }),
    ...gatewayClientPolicy(gateway, { proxyProtocol: true }),
    ...envoyDocuments(
      {
        name: 'shared',
        namespace: 'team-a',
        balancer: gateway,
        domain: 'team-a.example.com',
        connections: 100,
        services: [
          { name: 'db', ports: [{ port: 30017, servicePort: 5432 }], sourceRanges: ['10.1.0.0/16', '2001:db8::/48'] },
          {
            name: 'web',
            ports: [{ port: 443, servicePort: 8443, hostnames: ['web.team-a.example.com'] }],
            sourceRanges: ['10.2.0.0/16'],
          },
        ],
      },
      { proxyProtocol: true },
    ),
  ];
  const own = documents.filter(({ apiVersion }) => apiVersion === ENVOY_GATEWAY_VERSION);
  expectGolden(join(__dirname, 'goldens'), 'envoy-gateway', Yaml.stringify(...own));
});
