import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withDefaults } from '../../src/contract/schema/walk';
import { EDITED_GATEWAY_KINDS } from '../../src/predicted/predicted';
import type { Body, Ref } from '../real/api';
import { ControlPlane } from '../real/control-plane';
import {
  customResourceDefinitions,
  ensureNamespaces,
  install,
  lacksAfterWriting,
  objectsIn,
  withValues,
} from '../real/objects';
import { expanded } from '../real/policies';
import { count } from '../real/program';
import { casesIn } from '../support/yaml-cases';

// The Gateway API and the kinds of Envoy Gateway, against the definitions of their releases: what the goldens say is taken,
// and what the rules refuse is refused by the API server too, where it is its to refuse.

const TEST = join(__dirname, '..');
const GOLDENS = [
  join(TEST, 'gateway', 'goldens', 'shared.yaml'),
  join(TEST, 'tenancy', 'engines', 'goldens', 'envoy-gateway.yaml'),
];
const objects = GOLDENS.flatMap((file) => objectsIn(readFileSync(file, 'utf8')));

const { bare, mistakes } = casesIn(__dirname, 'gateway-kinds.yaml');
const group = 'gateway.networking.k8s.io';

let plane: ControlPlane;

beforeAll(async () => {
  plane = await ControlPlane.start();
  await install(plane.api, customResourceDefinitions(['sigs.k8s.io/gateway-api', 'github.com/envoyproxy/gateway']));
  await ensureNamespaces(plane.api, objects);
});

afterAll(() => plane?.stop());

test.each(objects.map((object) => [object.kind, object.metadata.name, object] as const))(
  '%s %s is taken as written',
  async (_kind, _name, object) => {
    expect(await lacksAfterWriting(plane.api, object)).toEqual([]);
    count('objects of Gateways accepted');
  },
);

/** Objects that say as little as they may, with everything in them that has a default inside. */
const BARE: readonly [string, string, Body][] = bare;

test.each(BARE)('what is filled in of a %s is known', async (kind, version, spec) => {
  const object = { apiVersion: `${group}/${version}`, kind, metadata: { name: 'bare', namespace: 'infra' }, spec };
  const fields = EDITED_GATEWAY_KINDS.find((one) => one.kind === kind)?.fields ?? {};
  const filled = await plane.api.create(object, { dryRun: true });
  expect(withDefaults(spec, fields)).toEqual(filled.spec);
  count('objects of Gateways filled in');
});

function changed(kind: string, values: Body): Ref {
  const found = objects.find((object) => object.kind === kind);
  if (!found) {
    throw new Error(`no golden has a ${kind}`);
  }
  return withValues(found, { '/metadata/name': 'changed', ...values }) as Ref;
}

/** What the API server says of each mistake; nothing where it takes it. */
const MISTAKES = expanded(mistakes) as [string, string, Body, RegExp | undefined][];

test.each(MISTAKES)('%s with %s', async (kind, _mistake, values, said) => {
  const asked = plane.api.create(changed(kind, values), { dryRun: true });
  if (said) {
    await expect(asked).rejects.toThrow(said);
    count('mistakes in Gateways refused');
  } else {
    await expect(asked).resolves.toBeTruthy();
  }
});
