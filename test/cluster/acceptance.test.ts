import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureNamespaces, lacksAfterWriting } from './harness/acceptance';
import type { Ref } from './harness/api';
import { ControlPlane } from './harness/control-plane';
import { customResourceDefinitions, install } from './harness/custom-resources';
import { manifestFiles, movedTo, objectsIn } from './harness/manifests';
import { count } from './harness/report';

// Every manifest that the library writes, created under strict field validation and applied by a second field manager. Those
// with Kafka in them are for the API server with Strimzi's definitions: see strimzi/acceptance.test.ts.

const files = manifestFiles();
const custom = objectsIn(readFileSync(join(__dirname, 'manifests', 'custom-resources.yaml'), 'utf8'));

let plane: ControlPlane;

beforeAll(async () => {
  plane = await ControlPlane.start();
  count('custom resource definitions installed', await install(plane.api, customResourceDefinitions()));
});

afterAll(() => plane?.stop());

test.each(files.map((file) => [file.name, file.objects] as const))('%s is taken as written', async (name, objects) => {
  const moved = movedTo(`accepts-${name}`, objects);
  await ensureNamespaces(plane.api, moved);
  for (const object of moved) {
    expect(await lacksAfterWriting(plane.api, object)).toEqual([]);
    count('objects accepted');
  }
});

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
