import { AwsCloudProvider } from '../../src/controllers/aws-cloud-provider/controller';
import { Gke } from '../../src/controllers/gke/controller';
import { changesIn, type Row, saidOf, service } from './rows';

// The type goes, and with it what the owner needs to find its balancer.

const BETA = 'service.beta.kubernetes.io/';
const TYPE = `${BETA}aws-load-balancer-type`;
const SCHEME = 'networking.gke.io/load-balancer-type';
const OCTAVIA = 'loadbalancer.openstack.org/load-balancer-id';
const aws = { installed: [AwsCloudProvider.nlb()] };
const gke = { installed: [Gke.passthrough()] };

function typeAway(
  title: string,
  from: Readonly<Record<string, string>>,
  to: Readonly<Record<string, string>>,
  options: Row[3],
  said: string,
  more: Parameters<typeof service>[0] = {},
): Row {
  const after = service({ ...more, annotations: to, type: 'ClusterIP', spec: {} });
  return [
    title,
    service({ ...more, annotations: from }),
    after,
    options,
    [`${said.split(':')[0]} edge/echo: ${said.split(': ')[1]}`],
  ];
}

const NLB = { [TYPE]: 'nlb' };

const BESIDE: readonly (readonly [string, Row])[] = [
  [`unknown ${SCHEME}`, typeAway('the scheme of GKE', { [SCHEME]: 'Internal' }, {}, gke, 'deleted: spec.type')],
  [
    '',
    typeAway('the scheme of GKE, by the newer controller', { [SCHEME]: 'Internal' }, {}, gke, 'deleted: spec.type', {
      finalizers: ['gke.networking.io/l4-ilb-v2'],
    }),
  ],
  [`unknown ${OCTAVIA}`, typeAway('of an owner without rules', { [OCTAVIA]: 'a-b-c' }, {}, {}, 'deleted: spec.type')],
  ['', typeAway('that is no annotation of a balancer', { 'example.com/team': 'a' }, {}, {}, 'deleted: spec.type')],
];

test.each(BESIDE)('what else is not known: %s', (beside, [, before, after, options, said]) => {
  const changes = changesIn(before, after, options);
  expect(saidOf(changes)).toEqual(said);
  const others = changes[0].effects.filter(({ field }) => field !== 'spec.type');
  expect(others.map(({ outcome, field }) => `${outcome} ${field}`).join()).toBe(beside);
});

test('a live Service keeps an annotation that its manifest never had', () => {
  const applied = JSON.stringify({ metadata: { name: 'echo' }, spec: { type: 'LoadBalancer' } });
  const live = service({ annotations: { ...NLB, 'kubectl.kubernetes.io/last-applied-configuration': applied } });
  const said = changesIn(live, service({ type: 'ClusterIP' }), { ...aws, before: { isLive: true } });
  expect(saidOf(said)).toEqual(['deleted edge/echo: spec.type']);
});

describe('a live balancer of another kind than the annotation, of which a change was refused', () => {
  const network = { loadBalancer: { ingress: [{ hostname: 'a1-0f.elb.eu-west-1.amazonaws.com' }] } };
  const classic = { loadBalancer: { ingress: [{ hostname: 'a1-0f.eu-west-1.elb.amazonaws.com' }] } };
  const finalizers = ['service.kubernetes.io/load-balancer-cleanup'];
  const nothing = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'edge' } });
  const live = { ...aws, before: { isLive: true }, prune: true };

  test.each([
    ['is orphaned with the object', {}, network, nothing, live, 'orphaned edge/echo: metadata.name'],
    [
      'is orphaned with the type',
      {},
      network,
      service({ type: 'ClusterIP', finalizers }),
      live,
      'orphaned edge/echo: spec.type',
    ],
    ['is orphaned as a Classic one', NLB, classic, nothing, live, 'orphaned edge/echo: metadata.name'],
    ['is deleted if the kinds are one', NLB, network, nothing, live, 'deleted edge/echo: metadata.name'],
    ['is deleted if the Classic kinds are one', {}, classic, nothing, live, 'deleted edge/echo: metadata.name'],
    ['is kept without prune', {}, network, nothing, { ...live, prune: false }, 'kept edge/echo: metadata.name'],
  ])('%s', (_, annotations, status, after, options, said) => {
    expect(saidOf(changesIn(service({ annotations, status, finalizers }), after, options))).toEqual([said]);
  });
});
