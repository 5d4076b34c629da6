import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiObject, Duration } from 'cdk8s';
import * as fc from 'fast-check';
import * as library from '../../src';
import {
  type CiliumOptions,
  ClientAddress,
  type ILoadBalancerController,
  IpFamily,
  LoadBalancedService,
  LoadBalancerRequest,
  type LoadBalancerRequestProps,
  LoadBalancerScheme,
  LoadBalancers,
  NodePool,
  PortProtocol,
  TrafficPolicy,
} from '../../src';
import type { Json } from '../../src/contract/json';
import { otherControllersOf } from '../../src/controllers/other-controller';
import { VENDOR_DESCRIPTORS } from '../../src/controllers/vendors/definitions.facts';
import { VENDOR_MARKS } from '../../src/controllers/vendors/marks.facts';
import { vendorKind, vendorKinds } from '../../src/controllers/vendors/vendor-kinds';
import { VENDOR_WRITINGS } from '../../src/controllers/vendors/writings.facts';
import { currentJson } from '../../src/rules/app-objects';
import { neededToMake } from '../../src/rules/controller-definition';
import { knownKinds } from '../../src/rules/known-kinds';
import { OLD_SPELLINGS } from '../../src/rules/manifest-rules.facts';
import { errorsOf, newChart } from '../support/apps';
import { checkedText } from '../support/checks';
import { run } from '../support/command';
import { hosted, inChart, LAWS } from '../support/controller-laws';
import { folderWith } from '../support/files';
import { requests } from '../support/generator';
import { tries } from '../support/random';
import type { Subject } from '../support/subjects';
import { casesIn, revived, table } from '../support/yaml-cases';

describe('vendors', () => {
  // What a descriptor of a vendor is good for, by one law for all of them.

  const folder = folderWith();

  let files = 0;

  function fileOf(annotations: Readonly<Record<string, string>>, loadBalancerClass?: string): string {
    const file = join(folder, `${files++}.json`);
    const spec = { type: 'LoadBalancer', loadBalancerClass, selector: { app: 'a' }, ports: [{ port: 9094 }] };
    writeFileSync(
      file,
      JSON.stringify({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'a', annotations }, spec }),
    );
    return file;
  }

  function checked(owner: string, annotations: Readonly<Record<string, string>>, loadBalancerClass?: string) {
    const file = fileOf(annotations, loadBalancerClass);
    const { out, error } = run('check', '--controllers', owner, '--format', 'json', file);
    expect(error).toBe('');
    return (JSON.parse(out) as { findings: { ruleId: string; remedy: string; level: string }[] }).findings;
  }

  test('every vendor has its own keys, name and signs', () => {
    const ids = VENDOR_MARKS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => knownKinds().some(({ name }) => name === id))).toEqual([]);
    const based = VENDOR_MARKS.flatMap(({ basedOn }) => basedOn ?? []);
    expect(based.filter((id) => !ids.includes(id))).toEqual([]);
  });

  test('a Service without a class names each vendor by every key that the vendor alone reads', () => {
    const unnamed = vendorKinds().flatMap((kind) =>
      kind.catalogue.annotations
        .filter(({ fact }) => kind.catalogue.owns(fact.key))
        .filter(({ fact }) => !knownKinds().some(({ catalogue }) => catalogue.owns(fact.key)))
        .map(({ fact }) => otherControllersOf({ metadata: { annotations: { [fact.key]: '' } }, spec: {} }))
        .filter((names) => !names.includes(kind.name) && !names.includes(kind.basedOn ?? '')),
    );
    expect(unnamed).toEqual([]);
    const served = (id: string, loadBalancerClass: string) =>
      otherControllersOf({ spec: { loadBalancerClass } }).includes(id);
    expect(VENDOR_MARKS.filter(({ id, classes }) => classes.some((one) => !served(id, one)))).toEqual([]);
  });

  describe.each(vendorKinds().map((kind) => [kind.name, kind] as const))('%s', (name, kind) => {
    const entries = kind.catalogue.annotations.filter(
      ({ fact }) => !fact.key.includes('{') && !fact.deprecated && !(fact.key in OLD_SPELLINGS),
    );
    const neededClass = VENDOR_MARKS.find(({ id }) => id === name)?.takesClassless ? undefined : kind.classes[0];
    const exampleOf = ({ fact }: (typeof entries)[number]) => fact.codec.encode(fact.codec.examples[0] as never);

    test('check takes the first example of each annotation, and knows each', () => {
      for (const entry of entries) {
        const ids = checked(name, { [entry.fact.key]: exampleOf(entry) }, neededClass).map(({ ruleId }) => ruleId);
        // it needs the type that reads it
        const own = ids.filter((id) => id.startsWith('annotation-') && id !== 'annotation-ignored');
        expect([entry.fact.key, own]).toEqual([entry.fact.key, []]);
      }
    });

    test('list shows what its descriptor says of the address of clients', () => {
      const { client = 'not known here' } = VENDOR_DESCRIPTORS[name]();
      const { out } = run('list', 'default/a', '--controllers', name, fileOf({}, kind.classes[0]));
      expect(out.replaceAll(/\s+/g, ' ')).toContain(`client address ${client.replaceAll(/\s+/g, ' ')}`);
    });

    test('check finds a misspelt key, and names the right one', () => {
      const long = entries.filter(({ fact }) => fact.key.length > 30);
      const [{ fact }] = long.length > 0 ? long : entries;
      const findings = checked(name, { [`${fact.key}s`]: 'a' }, neededClass);
      expect(findings).toContainEqual(
        expect.objectContaining({ ruleId: 'annotation-unknown', remedy: `write ${fact.key}` }),
      );
    });

    test('check finds a misspelt key without a context, if it begins as no key of others does', () => {
      const own = VENDOR_MARKS.find(({ id }) => id === name);
      const [entry] = entries.filter(
        ({ fact }) => fact.key.length > 30 && own?.keys.some((start) => fact.key.startsWith(start)),
      );
      if (entry && own?.takesClassless) {
        const { out } = run('check', '--format', 'json', fileOf({ [`${entry.fact.key}s`]: 'a' }));
        expect((JSON.parse(out) as { findings: unknown[] }).findings).toContainEqual(
          expect.objectContaining({ ruleId: 'annotation-unknown', remedy: `write ${entry.fact.key}` }),
        );
      }
    });

    test('without a context its annotations name it, and nobody is said to be unknown', () => {
      const own = VENDOR_MARKS.find(({ id }) => id === name);
      const [entry] = entries.filter(({ fact }) => own?.keys.some((start) => fact.key.startsWith(start)));
      const { out } = run(
        'check',
        '--format',
        'json',
        fileOf(entry ? { [entry.fact.key]: exampleOf(entry) } : {}, kind.classes[0]),
      );
      expect(entry ?? kind.classes[0]).toBeDefined();
      expect(out).not.toContain('owner-unspecified');
      expect(out).not.toContain('owner-not-checked');
    });

    test('each annotation has an effect of an edit, and diff tells it', () => {
      expect(entries.filter(({ fact }) => !kind.annotationEdits?.has(fact.key))).toEqual([]);
      for (const entry of entries) {
        const [old, now] = [fileOf({}, neededClass), fileOf({ [entry.fact.key]: exampleOf(entry) }, neededClass)];
        const { out } = run('diff', '--controllers', name, '--format', 'json', old, now);
        const [balancer] = (JSON.parse(out) as { changes: { outcome: string }[] }).changes;
        expect([entry.fact.key, balancer?.outcome]).toEqual([entry.fact.key, expect.stringMatching(/./)]);
      }
      const [{ fact }] = entries;
      const edited = fileOf({ [fact.key]: exampleOf(entries[0]) }, neededClass);
      expect(run('diff', '--controllers', name, fileOf({}, neededClass), edited).out).not.toContain(
        'name the controllers',
      );
    });

    test('an annotation of its own on a Service of Hetzner Cloud is foreign, and one that is read all the same is not', () => {
      const isOwn = ({ fact }: (typeof entries)[number]) => !fact.shared;
      for (const entry of [...entries.filter(isOwn).slice(0, 1), ...entries.filter(({ fact }) => fact.shared)]) {
        const found = checked('hcloud-cloud-controller-manager', { [entry.fact.key]: exampleOf(entry) });
        const isForeign = found.some(({ ruleId }) =>
          /-for-other-controller$|-for-unlisted-controller$|by-foreign-annotation$/.test(ruleId),
        );
        expect([entry.fact.key, isForeign]).toEqual([entry.fact.key, isOwn(entry)]);
      }
    });
  });

  test.each([
    ['lb', 'oci-network-load-balancer.oraclecloud.com/internal', 'internet-facing'],
    ['nlb', 'service.beta.kubernetes.io/oci-load-balancer-internal', 'internet-facing'],
    ['nlb', 'oci-network-load-balancer.oraclecloud.com/internal', 'internal'],
  ])('the type of a load balancer of Oracle decides which annotations are read: %s beside %s', (type, key, scheme) => {
    const annotations = { 'oci.oraclecloud.com/load-balancer-type': type, [key]: 'true' };
    const [kind] = vendorKinds().filter(({ name }) => name === 'oci-cloud-controller-manager');
    expect(kind.schemeOf({ metadata: { annotations } }).scheme).toBe(scheme);
    const ids = checked(kind.name, annotations).map(({ ruleId }) => ruleId);
    expect(ids.includes('annotation-ignored')).toBe(scheme === 'internet-facing');
    const { out } = run('diff', '--controllers', kind.name, '--format', 'json', fileOf({}), fileOf({ [key]: 'true' }));
    expect(out).toContain(key.startsWith('oci-') ? 'not read beside this value' : 'read at creation only');
  });

  function service(annotations: Readonly<Record<string, string>>, spec: object = {}) {
    const ports = [{ port: 6379 }];
    const whole = { type: 'LoadBalancer', selector: { app: 'a' }, ports, ...spec };
    return { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a', annotations }, spec: whole };
  }

  function node(providerID: string) {
    return { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' }, spec: { providerID } };
  }

  function kafka(annotations: Readonly<Record<string, string>>) {
    const external = { name: 'external', port: 9094, type: 'loadbalancer', tls: true };
    const listener = { ...external, configuration: { bootstrap: { annotations } } };
    const spec = { kafka: { version: '4.1.0', listeners: [listener] } };
    return { apiVersion: 'kafka.strimzi.io/v1', kind: 'Kafka', metadata: { name: 'a', namespace: 'a' }, spec };
  }

  test.each<[string, objects: object[], controllers: string[], found: string[]]>(
    revived(table('laws/vendors.yaml', 'Services of vendors'), { service, node, kafka }),
  )('%s', (_, objects, controllers, found) => {
    const file = join(folder, `${files++}.json`);
    writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
    const { out } = run('check', '--format', 'json', file);
    const { context, findings } = JSON.parse(out) as { context: { what: string }[]; findings: { ruleId: string }[] };
    const named = VENDOR_MARKS.filter(({ id }) => context.some(({ what }) => what.includes(id)));
    expect(named.map(({ id }) => id)).toEqual(controllers);
    const ids = findings
      .map(({ ruleId }) => ruleId)
      .filter((id) => /^(annotation-|local-policy-without-health|second-ip|sensitive-port-public|source-)/.test(id));
    expect(ids.sort()).toEqual(found);
  });

  test.each<[string, string, string, string]>(table('laws/vendors.yaml', 'check of reports a value of'))(
    'check of %s reports a value of %s: %s',
    (owner, key, value, rule) => {
      const found = checked(owner, { [key]: value }).map(({ ruleId }) => ruleId);
      expect(found.filter((id) => id.startsWith('annotation-'))).toEqual([rule]);
    },
  );

  test('an IBM balancer is internal with any type of address but public', () => {
    const key = 'service.kubernetes.io/ibm-load-balancer-cloud-provider-ip-type';
    const schemes = ['public', 'private', 'internal'].map((value) => {
      const owner = ['--controllers', 'ibm-cloud-controller-manager'];
      const { out } = run('list', '--format', 'json', ...owner, fileOf({ [key]: value }));
      return /"scheme": "([a-z-]+)/.exec(out)?.[1];
    });
    expect(schemes).toEqual(['internet-facing', 'internal', 'internal']);
  });

  test.each([
    ['no marks', {}, []],
    ['an annotation of Cilium', { 'lbipam.cilium.io/ips': '192.0.2.9' }, ['owner-ambiguous']],
  ])(
    'a Service without a class on OpenStack and Cilium is contested only with marks of both: %s',
    (_, annotations, rules) => {
      const found = checked('openstack-cloud-controller-manager,cilium', annotations).map(({ ruleId }) => ruleId);
      expect(found.filter((id) => id === 'owner-ambiguous')).toEqual(rules);
    },
  );
});

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
    expect((plan.warnings ?? []).map(({ ruleId }) => ruleId)).toEqual(isWritten ? [] : ['scheme-not-configurable']);
  });

  test('a client address that is kept by proxy protocol is a warning', () => {
    const request = new LoadBalancerRequest({ ports: [{ port: 443 }], clientAddress: ClientAddress.PRESERVE });
    const { warnings = [], annotations = {} } = make().bind(inChart(), request);
    const { clientAddress } = VENDOR_WRITINGS[name][title.split('.')[1]];
    const key = 'byProxy' in clientAddress ? clientAddress.byProxy : undefined;
    expect(warnings.map(({ ruleId }) => ruleId)).toEqual(key ? ['proxy-protocol-needs-pod-support'] : []);
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
const REFUSED: Readonly<Record<string, string>> = casesIn(__dirname, 'vendors.yaml').refused;

/** What it honours and warns of. */
const WARNED: Readonly<Record<string, string>> = {
  'Cilium.layer2': 'pool other-announcements',
  'DigitalOcean.regional': 'preserve proxy-protocol-needs-pod-support',
  'OracleCloud.loadBalancer': 'preserve proxy-protocol-needs-pod-support',
  'OpenStackOctavia.loadBalancer': 'preserve proxy-protocol-needs-pod-support',
};

test.each(ways)(
  '%s refuses what its controller cannot do, by name, and warns of what else may happen',
  (title, make) => {
    const plans = Object.entries(WISHES).map(([name, wish]) => {
      const plan = make().bind(inChart(), new LoadBalancerRequest({ ports: [{ port: 443 }], ...wish }));
      return { name, problems: plan.problems ?? [], warnings: plan.warnings ?? [] };
    });
    for (const { what, remedy } of plans.flatMap(({ problems, warnings }) => [...problems, ...warnings])) {
      expect(`${what}; ${remedy}`).not.toMatch(/undefined|\[object/);
    }
    const refused = plans.filter(({ problems }) => problems.length > 0).map(({ name }) => name);
    expect(`${title}: ${refused.join(' ')}`).toBe(`${title}: ${REFUSED[title]}`);
    const warned = plans.flatMap(({ name, warnings }) => warnings.map(({ ruleId }) => `${name} ${ruleId}`));
    expect(`${title}: ${warned.join(', ')}`).toBe(`${title}: ${WARNED[title] ?? ''}`);
  },
);

type AppRow = { title: string; options: CiliumOptions[]; rules: string[]; pools: number };

test.each<AppRow>(casesIn(join(__dirname, '..', 'cases'), 'cilium.yaml').apps)(
  'pools of Cilium are checked when they are written and when they are read: $title',
  ({ options, rules, pools }) => {
    const chart = newChart();
    const ports = [{ port: 443 }];
    for (const [i, one] of options.entries()) {
      new LoadBalancedService(chart, `s${i}`, {
        controller: library.Cilium.bgp(one),
        selector: { app: 'echo' },
        ports,
      });
    }
    const errors = errorsOf(chart).map((error) => /\(([a-z-]+)\)$/.exec(error)?.[1]);
    const warnings = LoadBalancers.of(chart).warnings.map(({ finding }) => finding.ruleId);
    expect([...errors, ...warnings]).toEqual(rules);
    const all = rules.includes('request-unsupported') ? [] : chart.node.findAll();
    const objects = all.filter(ApiObject.isApiObject).map(currentJson);
    expect(objects.filter(({ kind }) => kind === 'CiliumLoadBalancerIPPool')).toHaveLength(pools);
    const { findings } = checkedText(objects.map((one) => JSON.stringify(one)).join('\n---\n'));
    expect(findings.map(({ ruleId }) => ruleId).filter((id) => id.startsWith('cilium-'))).toEqual(
      rules.filter(() => all.length > 0),
    );
  },
);

test.each<[string, string, Json, Json[], Json | undefined]>(casesIn(__dirname, 'vendor-models.yaml').models)(
  'the model of %s',
  (_, name, { annotations = {}, spec }, objects, expected) => {
    const service = {
      kind: 'Service',
      metadata: { name: 'web', annotations },
      spec: { type: 'LoadBalancer', ports: [{ port: 443, nodePort: 30443 }], ...spec },
    };
    const model = vendorKind(name).makes?.(service, undefined, objects);
    expect(model && expected ? { ...model } : model).toEqual(expected && expect.objectContaining(expected));
  },
);

test('with policy Local no command promises a health check that Octavia does not make', () => {
  const service = (policy: string, metadata: string) => `
apiVersion: v1
kind: Service
metadata: { name: web, namespace: edge, annotations: { ${metadata} } }
spec: { type: LoadBalancer, externalTrafficPolicy: ${policy}, selector: { app: a }, ports: [ { port: 443 } ] }
`;
  const monitor = 'loadbalancer.openstack.org/enable-health-monitor';
  const told = (metadata: string) => {
    const [before, after] = ['Cluster', 'Local'].map((policy) => folderWith({ 's.yaml': service(policy, metadata) }));
    const owner = ['-c', 'openstack-cloud-controller-manager'];
    const commands = [
      ['list', 'edge/web', after],
      ['report', after],
      ['diff', '--verbose', before, after],
    ];
    return commands.map(([name, ...rest]) => run(name, ...owner, ...rest).out.replace(/\s+/g, ' '));
  };
  const [listed, reported, compared] = told('');
  expect(listed).toContain(`there is no health check unless ${monitor} is true`);
  expect(reported).toContain('node port of any node that it knows → kube-proxy → a pod of that node, if it has one');
  expect(compared).toContain(`the balancer has no health check unless ${monitor} is true`);
  const [listedOn, reportedOn, comparedOn] = told(`${monitor}: 'true'`);
  expect(listedOn).toContain('fails the health check without one');
  expect(reportedOn).toContain('node port of a node with a ready pod');
  expect(comparedOn).toContain('drop connections until the balancer has noticed');
});

const AWS_EIPS = 'service.beta.kubernetes.io/aws-load-balancer-eip-allocations';
const [CLASS_OF_NLB, AWS_TYPE] = ['service.k8s.aws/nlb', 'service.beta.kubernetes.io/aws-load-balancer-type'];
const [AZURE, LINODE] = ['service.beta.kubernetes.io/azure-', 'service.beta.kubernetes.io/linode-loadbalancer-'];
const [ALIBABA, FIXED] = ['service.beta.kubernetes.io/alibaba-cloud-loadbalancer-', 'spec.loadBalancerIP'];
const [OCTAVIA, OCTAVIA_INTERNAL] = ['loadbalancer.openstack.org/', 'openstack-internal-load-balancer'];
const SCALEWAY = 'service.beta.kubernetes.io/scw-loadbalancer-';
const CERTAIN = (key: string) => `, its address stays by ${key}`;
const RESERVED = (key: string) => `, its address stays if ${key} names one that you reserved`;
const GOES = () => ' with its address';

test.each<[string, Record<string, string>, (key: string) => string]>([
  ['openstack', { [`${OCTAVIA}keep-floatingip`]: 'true' }, CERTAIN],
  ['openstack', { [`${OCTAVIA}keep-floatingip`]: 'false' }, GOES],
  ['openstack', { [FIXED]: '203.0.113.7' }, RESERVED],
  ['openstack', { [FIXED]: '10.0.0.7', [`service.beta.kubernetes.io/${OCTAVIA_INTERNAL}`]: 'true' }, GOES],
  ['ovh', { [FIXED]: '203.0.113.7' }, RESERVED],
  ['aws-load-balancer-controller', { [AWS_EIPS]: 'eipalloc-1', class: CLASS_OF_NLB }, CERTAIN],
  ['cloud-provider-aws', { [AWS_EIPS]: 'eipalloc-1', [AWS_TYPE]: 'nlb' }, CERTAIN],
  ['cloud-provider-aws', { [AWS_EIPS]: 'eipalloc-1' }, GOES],
  [
    'gke',
    { 'networking.gke.io/load-balancer-ip-addresses': 'web', class: 'networking.gke.io/l4-regional-external' },
    CERTAIN,
  ],
  ['gke', { [FIXED]: '203.0.113.7', class: 'networking.gke.io/l4-regional-external' }, RESERVED],
  ['cloud-provider-azure', { [`${AZURE}pip-name`]: 'web' }, RESERVED],
  ['cloud-provider-azure', { [`${AZURE}load-balancer-ipv4`]: '203.0.113.7' }, RESERVED],
  ['cloud-provider-azure', { [FIXED]: '203.0.113.7' }, RESERVED],
  ['cloud-provider-azure', { [FIXED]: '10.0.0.7', [`${AZURE}load-balancer-internal`]: 'true' }, GOES],
  ['oci', { [FIXED]: '203.0.113.7' }, CERTAIN],
  ['scaleway', { [`${SCALEWAY}ip-ids`]: '11111111-1111-1111-1111-111111111111' }, CERTAIN],
  ['scaleway', { [FIXED]: '203.0.113.7' }, CERTAIN],
  ['linode', { [`${LINODE}reserved-ipv4`]: '203.0.113.7' }, CERTAIN],
  ['linode', { [`${LINODE}reserved-ipv4`]: '203.0.113.7', [`${LINODE}retain-reserved-ipv4`]: 'false' }, GOES],
  ['alibaba', { [`${ALIBABA}ip`]: '10.0.0.7' }, GOES],
  ['baidu', { [FIXED]: '203.0.113.7' }, CERTAIN],
])(
  'a balancer of %s with %j goes, and the fate of its address is known',
  (owner, { class: ofClass, ...values }, fate) => {
    const [key] = Object.keys(values);
    const { [FIXED]: address, ...annotations } = values;
    const service = (type: object) =>
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'web', annotations },
        spec: { ...type, selector: { app: 'a' }, ports: [{ port: 443 }], loadBalancerIP: address },
      });
    const [before, after] = [{ type: 'LoadBalancer', loadBalancerClass: ofClass }, { type: 'ClusterIP' }].map((type) =>
      folderWith({ 's.yaml': service(type) }),
    );
    const none = folderWith({ 'a.yaml': '{ apiVersion: v1, kind: ConfigMap, metadata: { name: a } }' });
    const controller = vendorKinds().find(({ name }) => name.startsWith(`${owner}-`))?.name ?? owner;
    for (const to of [after, none]) {
      const said = run('diff', '--verbose', '-c', controller, before, to).out.replace(/\s+/g, ' ');
      expect(said).toContain(`balancer is deleted${fate(key)}`);
    }
  },
);

test.each<[string, object, object, string]>([
  ['is created again with another class', { spec: { loadBalancerClass: 'eks.amazonaws.com/nlb' } }, {}, 'cannot be'],
  ['is in Terminating', {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }, 'whatever is applied'],
  ['goes with its namespace', {}, { namespace: 'edge' }, 'Namespace edge'],
])('an Elastic IP stays if a Service %s', (_, change, metadata, says) => {
  const annotations = { [AWS_EIPS]: 'eipalloc-1', 'kustomize.toolkit.fluxcd.io/force': 'enabled' };
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', annotations, ...metadata },
    spec: { type: 'LoadBalancer', loadBalancerClass: CLASS_OF_NLB, selector: { app: 'a' }, ports: [{ port: 443 }] },
  };
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'edge' } };
  const edited = { ...service, ...('spec' in change && { spec: { ...service.spec, ...(change.spec as object) } }) };
  const left = 'deletionTimestamp' in metadata ? namespace : edited;
  const sides = [[service, namespace], [left]].map((items) =>
    folderWith({ 'a.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) }),
  );
  const said = run('diff', '--verbose', '--prune', '-c', 'aws-load-balancer-controller', ...sides).out;
  const words = said.replace(/\s+/g, ' ');
  expect(words).toContain(says);
  expect(words).toContain(`balancer is deleted${CERTAIN(AWS_EIPS)}`);
});

test('a port of another protocol has another listener of Octavia', () => {
  const sides = ['TCP', 'UDP'].map((protocol) =>
    folderWith({
      'a.yaml': `{ apiVersion: v1, kind: Service, metadata: { name: dns }, spec: { type: LoadBalancer, selector: { app: a }, ports: [ { port: 53, protocol: ${protocol} } ] } }`,
    }),
  );
  const said = run('diff', '--verbose', '-c', 'openstack-cloud-controller-manager', ...sides).out;
  expect(said).toMatch(/^INTERRUPTED {2}default\/dns\s+spec\.ports\[0\]\.protocol TCP -> UDP/);
  expect(said.replace(/\s+/g, ' ')).toContain('a listener of the other protocol is made on the port');
});

test('a report tells what must be known of a vendor', () => {
  expect(neededToMake(vendorKind('cilium'))).toContain('needs a CiliumL2AnnouncementPolicy');
  expect(neededToMake(vendorKind('kube-vip'))).toContain('ARP or BGP');
});
