import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesWritten, stderrOf } from './support/apps';
import { goldens } from './support/goldens';

// Readable YAML, checked by hand. After a wanted change: UPDATE_GOLDENS=1 npx jest test/goldens.test.ts, and read the diff.
const UPDATE = process.env.UPDATE_GOLDENS === '1';

function compare(name: string, yaml: string): void {
  const file = join(__dirname, 'goldens', name);
  if (UPDATE) {
    writeFileSync(file, yaml);
  }
  expect(existsSync(file)).toBe(true);
  expect(yaml).toBe(readFileSync(file, 'utf8'));
}

test.each(Object.entries(goldens))('golden: %s', (name, yaml) => {
  compare(`${name}.yaml`, yaml());
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
      compare(join('examples', file), yaml);
    }
  } finally {
    if (outdir === undefined) {
      delete process.env.CDK8S_OUTDIR;
    } else {
      process.env.CDK8S_OUTDIR = outdir;
    }
  }
});
