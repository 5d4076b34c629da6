import { join } from 'node:path';
import { runExample } from './support/examples';
import { expectGolden, expectNoStrayGoldens } from './support/golden-files';
import { goldens } from './support/goldens';

const FOLDER = join(__dirname, 'goldens');

test.each(Object.entries(goldens))('golden: %s', (name, yaml) => {
  expectGolden(FOLDER, name, yaml());
});

test('every golden is of a known case', () => {
  expectNoStrayGoldens(FOLDER, Object.keys(goldens));
});

const examples = ['aks', 'eks', 'eks-adopted', 'pinned-elsewhere'];

test.each(examples)('the example %s writes what an operator would apply', (example) => {
  const { files } = runExample(example);
  expect(Object.keys(files)).not.toEqual([]);
  for (const [file, yaml] of Object.entries(files)) {
    expectGolden(join(FOLDER, 'examples'), file.replace(/\.yaml$/, ''), yaml);
  }
});
