import type { ControllerDefinition } from '../../src/rules/controller-definition';
import { knownKinds } from '../../src/rules/known-kinds';
import '../../src';
import { OWNERS } from '../../src/lifecycle/owners';
import { WRITERS, writerTable } from '../../src/lifecycle/scenario';

const kinds = knownKinds();
const kindOf = (name: string): ControllerDefinition | undefined => kinds.find((kind) => kind.name === name);
const owners = OWNERS.filter(({ name }) => name !== 'service-controller');

test('the model has every controller that the library writes for', () => {
  expect([...new Set(owners.map(({ name }) => name))].sort()).toEqual(kinds.map(({ name }) => name).sort());
});

test.each(owners.map((owner) => [`${owner.name} ${owner.versions}`, owner] as const))(
  '%s has the finalizer of its kind',
  (_, owner) => {
    const kind = kindOf(owner.name);
    const known = [...(kind?.finalizers ?? []), ...(kind?.untouchableFinalizers ?? [])];
    expect(owner.finalizer === undefined ? known : known.includes(owner.finalizer)).toEqual(
      owner.finalizer === undefined ? [] : true,
    );
    expect(owner.declares === 'on request').toBe(kind?.finalizerOption !== undefined);
  },
);

test('no two rows of one table have one id, and every row has its source', () => {
  for (const table of [...OWNERS.map(({ table }) => table), ...WRITERS.map((writer) => writerTable(writer))]) {
    expect(new Set(table.map(({ id }) => id)).size).toBe(table.length);
    expect(table.filter(({ source }) => !source.repository || !source.version || !source.file)).toEqual([]);
  }
});
