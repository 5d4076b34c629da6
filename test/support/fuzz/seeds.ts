import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, type Json } from '../../../src/contract/json';
import { itemsOf, readKubernetesYaml } from '../../../src/contract/kubernetes-yaml';
import { OBJECTS } from '../../cli/objects-of-all-kinds';

const ROOT = join(__dirname, '..', '..', '..');

/** Larger files take most of the time, and hold what smaller ones hold. */
const LARGEST = 8_000;

/** Objects of the files of this repository that are mutated, those of one file together. */
export function seeds(folders: readonly string[] = ['examples', 'test'].map((name) => join(ROOT, name))): Json[][] {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((file) => /\.ya?ml$/.test(file) && !/node_modules|unreadable/.test(file)),
  );
  const read = files
    .sort()
    .filter((file) => statSync(file).size <= LARGEST)
    .map((file) =>
      readKubernetesYaml(readFileSync(file))
        .values.flatMap(itemsOf)
        .map(({ value }) => value)
        .filter((value): value is Json => isMap(value) && 'kind' in value),
    );
  return [[...OBJECTS], ...read.filter((objects) => objects.length > 0)];
}

export const CONTEXTS: readonly string[] = [
  join(ROOT, 'examples/yaml/load-balancers.yaml'),
  join(ROOT, 'test/consumers/inputs/load-balancers.yaml'),
  ...['cleanup', 'finalizers', 'node-pool', 'tenants', 'traffic-policy'].map((story) =>
    join(ROOT, 'examples/stories', story, 'load-balancers.yaml'),
  ),
];
