import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ref } from './harness/api';
import { lackIn, withoutZeros } from './harness/contains';
import { ControlPlane } from './harness/control-plane';
import { customResourceDefinitions, install } from './harness/custom-resources';
import { manifestFiles, movedTo, namespacesOf, objectsIn } from './harness/manifests';
import { count } from './harness/report';

// Every manifest that the library writes, created under strict field validation and applied by a second field manager.

const files = manifestFiles();
const custom = objectsIn(readFileSync(join(__dirname, 'manifests', 'custom-resources.yaml'), 'utf8'));

let plane: ControlPlane;

beforeAll(async () => {
  plane = await ControlPlane.start();
  count('custom resource definitions installed', await install(plane.api, customResourceDefinitions()));
});

afterAll(() => plane?.stop());

async function ensureNamespaces(objects: readonly Ref[]): Promise<void> {
  for (const name of namespacesOf(objects)) {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    if (!(await plane.api.find(namespace))) {
      await plane.api.create(namespace);
    }
  }
}

/** What the API server made of an object otherwise than written, under two managers. */
async function lacksAfterWriting(object: Ref): Promise<string[]> {
  await plane.api.create(object, { as: 'first' });
  const created = await plane.api.get(object);
  await plane.api.apply(object, { as: 'second' });
  const applied = await plane.api.get(object);
  await plane.api.apply(object, { as: 'second' });
  const again = await plane.api.get(object);
  // other libraries write the zeros of Deployments out; what we write into Services must be there to the letter
  const written = object.kind === 'Deployment' ? withoutZeros(object) : object;
  return [
    ...lackIn(created, written, 'created'),
    ...lackIn(applied, written, 'applied'),
    ...lackIn(again.metadata.resourceVersion, applied.metadata.resourceVersion, 'applied twice'),
    ...lackIn(applied.spec, created.spec, 'spec after the second manager'),
  ];
}

test.each(files.map((file) => [file.name, file.objects] as const))('%s is taken as written', async (name, objects) => {
  const moved = movedTo(`accepts-${name}`, objects);
  await ensureNamespaces(moved);
  for (const object of moved) {
    expect(await lacksAfterWriting(object)).toEqual([]);
    count('objects accepted');
  }
});

test.each(custom.map((object) => [object.kind, object] as const))(
  'the definition of %s is served',
  async (_, object) => {
    await ensureNamespaces([object]);
    expect(await lacksAfterWriting(object)).toEqual([]);
  },
);

describe('what must not pass', () => {
  const services = files.flatMap(({ name, objects }) =>
    objects.filter((object) => object.kind === 'Service').map((service) => [name, service] as const),
  );

  const mistakes: Record<string, [(service: Ref) => Ref, RegExp]> = {
    'an annotation that is a boolean': [
      (service) => withMetadata(service, { annotations: { ...service.metadata.annotations, 'example.com/on': true } }),
      /cannot unmarshal bool into Go .*annotations/,
    ],
    'an annotation that is a number': [
      (service) => withMetadata(service, { annotations: { ...service.metadata.annotations, 'example.com/weight': 5 } }),
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
