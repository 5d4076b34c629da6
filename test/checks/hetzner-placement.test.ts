import { HetznerCloud } from '../../src';
import { saidBy } from '../support/checked';

// Where the controller of Hetzner Cloud makes a balancer is in the Service, or in its own environment.

const PREFIX = 'load-balancer.hetzner.cloud/';

const service = (annotations = '', more = '') => `apiVersion: v1
kind: Service
metadata: {name: web, annotations: {${annotations}}}
spec: {type: LoadBalancer, selector: {app: web}, ports: [{port: 443}]}
${more}`;

const manager = (container: string) => `
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: hcloud-cloud-controller-manager, namespace: kube-system}
spec:
  template:
    spec:
      containers:
        - image: docker.io/hetznercloud/hcloud-cloud-controller-manager:v1.35.0
          name: manager
          ${container}`;

const BARE = manager('env: [{name: HCLOUD_TOKEN, value: a}]');
const by = (annotation: string) => `${PREFIX}${annotation}`;
const CONTEXT = { controllers: [HetznerCloud.loadBalancer()] };
const said = (content: string) => saidBy('hetzner-no-placement', content, CONTEXT);

test('a balancer is nowhere', () => {
  expect(said(service() + BARE)).toEqual([
    `error 1: the Service says neither location nor network zone, and Deployment hcloud-cloud-controller-manager has no default: no balancer is made; set ${PREFIX}location, or HCLOUD_LOAD_BALANCERS_LOCATION of the controller`,
  ]);
});

test.each<[string, string, number]>([
  ['has a location', service(by('location: fsn1')) + BARE, 0],
  ['has a network zone', service(by('network-zone: eu-central')) + BARE, 0],
  ['takes a balancer that has its name', service(by('name: web')) + BARE, 0],
  ['has an address', service('', 'status: {loadBalancer: {ingress: [{ip: 192.0.2.1}]}}') + BARE, 0],
  ['has another type', service().replace('LoadBalancer', 'NodePort') + BARE, 0],
  [
    'has the location of its controller',
    service() + manager('env: [{name: HCLOUD_LOAD_BALANCERS_LOCATION, value: fsn1}]'),
    0,
  ],
  [
    'has the zone of its controller',
    service() + manager('env: [{name: HCLOUD_LOAD_BALANCERS_NETWORK_ZONE, valueFrom: {}}]'),
    0,
  ],
  [
    'may have what an environment of its controller says',
    service() + manager('envFrom: [{secretRef: {name: hcloud}}]'),
    0,
  ],
  ['may have a default of a controller that is not to be seen', service(), 0],
])('a Service %s', (_, content, count) => {
  expect(said(content)).toHaveLength(count);
});
