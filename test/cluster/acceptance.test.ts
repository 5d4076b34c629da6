import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Chart, Testing } from 'cdk8s';
import { NodePool } from '../../src';
import { type SchemaField, type SchemaFields, Shape } from '../../src/contract/schema/walk';
import { METALLB_FIELDS, METALLB_GROUP } from '../../src/installations/metal-lb/facts';
import {
  MetalLbAddressPool,
  MetalLbBgpAdvertisement,
  MetalLbLayer2Advertisement,
} from '../../src/installations/metal-lb/objects';
import type { Body, Ref } from '../real/api';
import { ControlPlane } from '../real/control-plane';
import {
  customResourceDefinitions,
  definitionsFromFiles,
  definitionsOfGroup,
  ensureNamespaces,
  install,
  lacksAfterWriting,
  manifestFiles,
  movedTo,
  objectsIn,
} from '../real/objects';
import { count } from '../real/program';

// Every manifest that the library writes, created under strict field validation and applied by a second field manager. Those
// with Kafka in them are for the API server with Strimzi's definitions: see strimzi/acceptance.test.ts.
describe('acceptance', () => {
  const files = manifestFiles();
  const custom = objectsIn(readFileSync(join(__dirname, 'manifests', 'custom-resources.yaml'), 'utf8'));

  let plane: ControlPlane;

  beforeAll(async () => {
    plane = await ControlPlane.start();
    count('custom resource definitions installed', await install(plane.api, customResourceDefinitions()));
  });

  afterAll(() => plane?.stop());

  test.each(files.map((file) => [file.name, file.objects] as const))(
    '%s is taken as written',
    async (name, objects) => {
      const moved = movedTo(`accepts-${name}`, objects);
      await ensureNamespaces(plane.api, moved);
      for (const object of moved) {
        expect(await lacksAfterWriting(plane.api, object)).toEqual([]);
        count('objects accepted');
      }
    },
  );

  test.each(custom.map((object) => [object.kind, object] as const))(
    'the definition of %s is served',
    async (_, object) => {
      await ensureNamespaces(plane.api, [object]);
      expect(await lacksAfterWriting(plane.api, object)).toEqual([]);
    },
  );

  describe('what must not pass', () => {
    const services = files.flatMap(({ name, objects }) =>
      objects.filter((object) => object.kind === 'Service').map((service) => [name, service] as const),
    );

    const mistakes: Record<string, [(service: Ref) => Ref, RegExp]> = {
      'an annotation that is a boolean': [
        (service) =>
          withMetadata(service, { annotations: { ...service.metadata.annotations, 'example.com/on': true } }),
        /cannot unmarshal bool into Go .*annotations/,
      ],
      'an annotation that is a number': [
        (service) =>
          withMetadata(service, { annotations: { ...service.metadata.annotations, 'example.com/weight': 5 } }),
        /cannot unmarshal number into Go .*annotations/,
      ],
      'a field name in another case': [
        (service) => ({ ...service, spec: { ...service.spec, externaltrafficPolicy: 'Local' } }),
        /unknown field "spec.externaltrafficPolicy"/,
      ],
      'a finalizer without a domain': [
        (service) => withMetadata(service, { finalizers: ['load-balancer-cleanup'] }),
        /name is neither a standard finalizer name nor is it fully qualified/,
      ],
      'a class without a domain': [
        (service) => ({ ...service, spec: { ...service.spec, loadBalancerClass: '-nlb' } }),
        /spec.loadBalancerClass: Invalid value/,
      ],
    };

    test.each(Object.keys(mistakes))('%s in any of them', async (mistake) => {
      const [spoil, said] = mistakes[mistake];
      for (const [name, service] of services) {
        const spoilt = withMetadata(spoil(service), { name: 'spoilt', namespace: 'default' });
        await expect(plane.api.create(spoilt, { dryRun: true })).rejects.toThrow(said);
        count('mistakes refused');
        expect(name).toBeTruthy();
      }
    });
  });

  function withMetadata(object: Ref, metadata: Record<string, unknown>): Ref {
    return { ...object, metadata: { ...object.metadata, ...metadata } };
  }
});

// Definitions that only some tests ask for: they can be had, and the API server serves them.
describe('definitions', () => {
  let plane: ControlPlane;

  beforeAll(async () => {
    plane = await ControlPlane.start();
  });

  afterAll(() => plane?.stop());

  const KYVERNO = 'github.com/kyverno/kyverno';

  const CLUSTER_POLICY: Ref = {
    apiVersion: 'kyverno.io/v1',
    kind: 'ClusterPolicy',
    metadata: { name: 'edge' },
    spec: {
      rules: [
        {
          name: 'edge',
          match: { any: [{ resources: { kinds: ['Service'] } }] },
          mutate: { patchStrategicMerge: { metadata: { labels: { edge: 'yes' } } } },
        },
      ],
    },
  };

  test('the API server takes a policy of Kyverno, and none with a field that it does not know', async () => {
    await install(plane.api, definitionsOfGroup(KYVERNO, 'kyverno.io', 'ClusterPolicy'));
    const created = await plane.api.create(CLUSTER_POLICY);
    expect(created.spec.rules).toEqual(CLUSTER_POLICY.spec.rules.map((rule: object) => expect.objectContaining(rule)));
    const spoilt = { ...CLUSTER_POLICY, metadata: { name: 'other' }, spec: { ...CLUSTER_POLICY.spec, rule: [] } };
    await expect(plane.api.create(spoilt)).rejects.toThrow('unknown field "spec.rule"');
  });

  test('a kind that a module does not define is told', () => {
    expect(() => definitionsOfGroup(KYVERNO, 'kyverno.io', 'ClusterPolicy', 'Nonsense')).toThrow(
      'the module github.com/kyverno/kyverno defines too few of kyverno.io ClusterPolicy, Nonsense: 1',
    );
  });

  test('files bring the definitions of groups that they have, and of no others', () => {
    expect(definitionsFromFiles('nobody.example')).toEqual([]);
  });
});

// The fields of MetalLB's kinds, beside the definitions of the release that they were read in.
describe('metal lb definitions', () => {
  const TYPES: Readonly<Partial<Record<Shape, string>>> = {
    [Shape.TEXT]: 'string',
    [Shape.INTEGER]: 'integer',
    [Shape.BOOLEAN]: 'boolean',
    [Shape.TEXTS]: 'array',
    [Shape.MAPS]: 'array',
    [Shape.MAP]: 'object',
    [Shape.TEXT_MAP]: 'object',
  };

  /** A field as both can be written: its type, and whether it is required. */
  const line = (path: string, type: string | undefined, isRequired: boolean) =>
    `${path}: ${type}${isRequired ? ', required' : ''}`;

  function known(fields: SchemaFields, above = ''): string[] {
    return Object.entries(fields).flatMap(([name, { shape, required, fields: inner = {} }]) => [
      line(`${above}${name}`, TYPES[shape], required === true),
      ...known(inner, `${above}${name}.`),
    ]);
  }

  function defined({ properties = {}, required = [], items }: Body, above = ''): string[] {
    return [
      ...(items ? defined(items, above) : []),
      ...Object.entries<Body>(properties).flatMap(([name, field]) => [
        line(`${above}${name}`, field.type, required.includes(name)),
        ...defined(field, `${above}${name}.`),
      ]),
    ];
  }

  /** The limits of numbers that a definition has and the facts have not. */
  function otherLimits({ properties = {}, items }: Body, fields: SchemaFields, above = ''): string[] {
    return [
      ...(items ? otherLimits(items, fields, above) : []),
      ...Object.entries<Body>(properties).flatMap(([name, field]) => {
        const { atLeast = -Infinity, atMost = Infinity, fields: inner = {} }: SchemaField = fields[name];
        const most = field.maximum ?? (field.format === 'int32' ? 2 ** 31 - 1 : Infinity);
        const isWider = atLeast < (field.minimum ?? -Infinity) || atMost > most;
        return [...(isWider ? [`${above}${name}`] : []), ...otherLimits(field, inner, `${above}${name}.`)];
      }),
    ];
  }

  describe.each(Object.entries(METALLB_FIELDS))('%s', (kind, fields) => {
    const [{ spec }] = definitionsOfGroup('go.universe.tf/metallb', METALLB_GROUP, kind).filter(
      (definition) => definition.spec.names.kind === kind,
    );
    const schema = spec.versions.find(({ storage }: Body) => storage).schema.openAPIV3Schema.properties.spec;

    test('has the fields of its definition', () => {
      // a pool without addresses is reported by a rule of its own
      const wanted = defined(schema).map((field) => field.replace(/^(addresses: array), required$/, '$1'));
      expect(known(fields).sort()).toEqual(wanted.sort());
    });

    test('has no number beyond its limits', () => {
      expect(otherLimits(schema, fields)).toEqual([]);
    });
  });
});

// What is configured in MetalLB, against the definitions of its kinds in the API server.
describe('metal lb configuration', () => {
  let plane: ControlPlane;

  beforeAll(async () => {
    plane = await ControlPlane.start();
    const definitions = customResourceDefinitions().filter(({ spec }) => spec.group === 'metallb.io');
    // there is no conversion webhook here; every object is written in the version that is stored
    const stored = definitions.map((definition) => ({
      ...definition,
      spec: { ...definition.spec, conversion: undefined },
    }));
    await install(plane.api, stored);
    await plane.api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'metallb-system' } });
  });

  afterAll(() => plane?.stop());

  function written(): Ref[] {
    const chart = new Chart(Testing.app(), 'network');
    const rack = NodePool.labeled({ rack: '1' });
    const pool = new MetalLbAddressPool(chart, 'Pool', {
      addresses: ['192.0.2.0/24', '2001:db8::/120'],
      autoAssign: false,
      avoidBuggyIps: true,
      serviceAllocation: {
        priority: 1,
        namespaces: ['a'],
        namespaceSelectors: [{ team: 'a' }],
        serviceSelectors: [{ app: 'x' }],
      },
    });
    new MetalLbLayer2Advertisement(chart, 'Arp', {
      pools: [pool],
      nodePools: [rack],
      interfaces: ['eth0'],
      serviceSelectors: [{ app: 'x' }],
    });
    new MetalLbBgpAdvertisement(chart, 'Routes', {
      pools: [pool],
      localPref: 100,
      communities: ['no-export'],
      peers: ['tor'],
      nodePools: [rack],
    });
    return Testing.synth(chart);
  }

  test.each(written().map((object) => [object.kind, object] as const))('%s', async (_, object) => {
    await plane.api.create(object);
    const { spec } = (await plane.api.get(object)) as Body;
    expect(spec).toMatchObject(object.spec);
  });
});
