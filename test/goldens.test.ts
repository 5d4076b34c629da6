import { join } from 'node:path';
import { filesWritten, stderrOf } from './support/apps';
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
  const outdir = process.env.CDK8S_OUTDIR;
  try {
    const files = filesWritten((folder) => {
      process.env.CDK8S_OUTDIR = folder;
      stderrOf(() => jest.isolateModules(() => require(join(__dirname, '..', 'examples', example))));
    });
    expect(Object.keys(files)).not.toEqual([]);
    for (const [file, yaml] of Object.entries(files)) {
      expectGolden(join(FOLDER, 'examples'), file.replace(/\.yaml$/, ''), yaml);
    }
  } finally {
    if (outdir === undefined) {
      delete process.env.CDK8S_OUTDIR;
    } else {
      process.env.CDK8S_OUTDIR = outdir;
    }
  }
});
