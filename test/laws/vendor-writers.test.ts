import { Duration } from 'cdk8s';
import * as fc from 'fast-check';
import * as library from '../../src';
import {
  ClientAddress,
  type ILoadBalancerController,
  IpFamily,
  LoadBalancerRequest,
  type LoadBalancerRequestProps,
  LoadBalancerScheme,
  LoadBalancers,
  NodePool,
  PortProtocol,
  TrafficPolicy,
} from '../../src';
import { vendorKind } from '../../src/controllers/vendors/vendor-kinds';
import { VENDOR_WRITINGS } from '../../src/controllers/vendors/writings.facts';
import { hosted, inChart, LAWS } from '../support/controller-laws';
import { requests } from '../support/generator';
import { tries } from '../support/random';
import type { Subject } from '../support/subjects';

// Controllers that are written by their descriptors alone keep the laws of those that are written in code.

const RUNS = Number(process.env.LAWS_RUNS ?? tries(15));
const SEED = Number(process.env.LAWS_SEED ?? 980);

type Factory = (options?: object) => ILoadBalancerController;
type Factories = Readonly<Record<string, Factory>>;

/** The classes whose objects have the name of a controller, by that name. */
const classes = new Map<string, readonly [string, Factories]>();
for (const [own, exported] of Object.entries(library)) {
  const factories = exported as unknown as Factories;
  for (const [name, ways] of Object.entries(VENDOR_WRITINGS)) {
    const [way] = Object.keys(ways);
    if (typeof exported === 'function' && Object.hasOwn(exported, way) && factories[way]().name === name) {
      classes.set(name, [own, factories]);
    }
  }
}

const ways = Object.entries(VENDOR_WRITINGS).flatMap(([name, all]) =>
  Object.keys(all).map((way): [string, Factory, string] => {
    const [own, factories] = classes.get(name) ?? ['', {}];
    return [`${own}.${way}`, (options) => factories[way](options), name];
  }),
);

test('each descriptor that says how to write has a class with a factory for each way', () => {
  expect([...classes.keys()].sort()).toEqual(Object.keys(VENDOR_WRITINGS).sort());
  expect(ways.length).toBeGreaterThan(8);
});

describe.each(ways)('%s', (title, make, name) => {
  const kind = vendorKind(name);
  const subject: Subject = { title, kind, controller: make(), adds: [], wishesMayBreak: [] };

  test.each(Object.keys(LAWS))('%s', (law) => {
    const property = fc.property(requests, (request) => {
      const broken = LAWS[law](subject, request);
      if (broken !== undefined) throw new Error(`${title}: ${broken}`);
    });
    fc.assert(property, { numRuns: RUNS, seed: SEED });
  });

  test('a plain request is served without a problem and without a warning', () => {
    const { service, errors } = hosted(subject, new LoadBalancerRequest({ ports: [{ port: 443, targetPort: 8080 }] }));
    expect(errors).toEqual([]);
    expect(service.plan.problems ?? []).toEqual([]);
    expect(LoadBalancers.of(service).warnings).toEqual([]);
  });

  test.each(Object.values(LoadBalancerScheme))('what is planned for scheme %s is read as that scheme', (scheme) => {
    const plan = make().bind(inChart(), new LoadBalancerRequest({ ports: [{ port: 443 }], scheme }));
    const service = { metadata: { annotations: plan.annotations }, spec: { type: 'LoadBalancer' } };
    const isWritten = 'annotation' in VENDOR_WRITINGS[name][title.split('.')[1]].scheme;
    expect(kind.schemeOf(service).scheme).toBe(isWritten ? scheme : undefined);
    expect((plan.warnings ?? []).map(({ ruleId }) => ruleId)).toEqual(isWritten ? [] : ['scheme-decided-elsewhere']);
  });

  test('a client address that is kept by proxy protocol is a warning', () => {
    const request = new LoadBalancerRequest({ ports: [{ port: 443 }], clientAddress: ClientAddress.PRESERVE });
    const { warnings = [], annotations = {} } = make().bind(inChart(), request);
    const { clientAddress } = VENDOR_WRITINGS[name][title.split('.')[1]];
    const key = 'byProxy' in clientAddress ? clientAddress.byProxy : undefined;
    expect(warnings.map(({ ruleId }) => ruleId)).toEqual(key ? ['pod-must-speak-proxy-protocol'] : []);
    expect(key === undefined || key in annotations).toBe(true);
  });

  test('each option writes one annotation that the controller reads, and refuses what it would not read', () => {
    const options = kind.catalogue.annotations.filter(({ fact }) => fact.option !== undefined && !fact.deprecated);
    let written = 0;
    for (const { fact } of options) {
      for (const value of fact.codec.examples) {
        let controller: ILoadBalancerController;
        try {
          controller = make({ [fact.option as string]: value });
        } catch (error) {
          // an option of another way
          expect((error as Error).message).toMatch(/is unknown/);
          continue;
        }
        const { annotations = {} } = controller.bind(inChart(), new LoadBalancerRequest({ ports: [{ port: 443 }] }));
        expect(fact.codec.decode(annotations[fact.key] ?? '')).toHaveProperty('value');
        written++;
      }
    }
    expect(written).toBeGreaterThan(0);
  });
});

/** One wish at a time, internal. */
const WISHES: Readonly<Record<string, Partial<LoadBalancerRequestProps>>> = {
  udp: { ports: [{ port: 53, protocol: PortProtocol.UDP }] },
  cluster: { trafficPolicy: TrafficPolicy.CLUSTER },
  preserve: { clientAddress: ClientAddress.PRESERVE },
  replace: { clientAddress: ClientAddress.REPLACE },
  affinity: { sessionAffinity: { timeout: Duration.hours(1) } },
  families: { ipFamilies: [IpFamily.IPV4] },
  pool: { backendNodes: NodePool.labeled({ 'svccontroller.k3s.cattle.io/lbpool': 'edge' }) },
  ranges: { sourceRanges: ['10.0.0.0/8'] },
  address: { staticAddresses: ['192.0.2.53'] },
  proxy: { proxyProtocol: true },
  interval: { healthCheck: { interval: Duration.seconds(20) } },
  path: { healthCheck: { path: '/ready' } },
  rollout: { rollout: {} },
};

/** What each way does not honour, of these wishes. */
const REFUSED: Readonly<Record<string, string>> = {
  'Cilium.layer2': 'pool proxy interval path rollout',
  'Cilium.bgp': 'pool proxy interval path rollout',
  'Cilium.nodeIpam': 'address proxy interval path rollout',
  'DigitalOcean.regionalNetwork': 'families pool proxy path rollout',
  'DigitalOcean.regional': 'udp affinity families pool path rollout',
  'K3sServiceLb.serviceLb': 'preserve affinity address proxy interval path rollout',
  'KubeVip.loadBalancer': 'pool proxy interval path rollout',
  'OracleCloud.loadBalancer': 'udp affinity families address path rollout',
  'OracleCloud.networkLoadBalancer': 'affinity families ranges path rollout',
  'OpenStackOctavia.loadBalancer': 'families path rollout',
};

test.each(ways)('%s refuses what its controller cannot do, by name', (title, make) => {
  const refused = Object.entries(WISHES).filter(([, wish]) => {
    const { problems = [] } = make().bind(inChart(), new LoadBalancerRequest({ ports: [{ port: 443 }], ...wish }));
    for (const { what, remedy } of problems) {
      expect(`${what}; ${remedy}`).not.toMatch(/undefined|\[object/);
    }
    return problems.length > 0;
  });
  expect(`${title}: ${refused.map(([name]) => name).join(' ')}`).toBe(`${title}: ${REFUSED[title]}`);
});
