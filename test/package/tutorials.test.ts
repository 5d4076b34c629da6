import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { paste, stepsOf } from '../support/pasted-page';

// What tutorials tell is done here, block by block, in an empty folder with what is published and what npm puts beside it.

const ROOT = join(__dirname, '..', '..');
const PACKED = join(process.env.CONSUMER as string, 'node_modules', 'cdk8s-load-balancers');

/** What is there to install, and where. */
const PACKAGES: Record<string, string> = {
  'cdk8s-load-balancers': PACKED,
  ...Object.fromEntries(
    ['cdk8s', 'cdk8s-cli', 'constructs', 'tsx'].map((name) => [name, join(ROOT, 'node_modules', name)]),
  ),
};

/** In place of npm: it installs what is there, without a network, and knows nothing else but how a project begins. */
const NPM = `#!/usr/bin/env node
const { mkdirSync, readFileSync, symlinkSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const packages = ${JSON.stringify(PACKAGES)};
const [command, ...words] = process.argv.slice(2);
if (command === 'init') {
  writeFileSync('package.json', '{ "name": "pasted", "version": "1.0.0" }');
  process.exit();
}
if (command !== 'install') throw new Error('npm ' + command + ' is not part of a tutorial');
mkdirSync('node_modules/.bin', { recursive: true });
for (const name of words.filter((word) => !word.startsWith('--'))) {
  if (!packages[name]) throw new Error(name + ' is not there to install');
  symlinkSync(packages[name], join('node_modules', name));
  const { bin = {} } = JSON.parse(readFileSync(join(packages[name], 'package.json'), 'utf8'));
  const programs = typeof bin === 'string' ? { [name]: bin } : bin;
  for (const [program, file] of Object.entries(programs)) symlinkSync(join(packages[name], file), join('node_modules/.bin', program));
}
`;

test.each(readdirSync(join(ROOT, 'docs', 'tutorials')))('%s can be pasted, and prints what it says', (page) => {
  const folder = mkdtempSync(join(tmpdir(), 'tutorial-'));
  try {
    const programs = join(folder, 'programs');
    const project = join(folder, 'project');
    mkdirSync(programs);
    mkdirSync(project);
    writeFileSync(join(programs, 'npm'), NPM, { mode: 0o755 });
    const env = {
      PATH: `${programs}:${process.env.PATH}`,
      HOME: folder,
      NO_COLOR: '1',
      CI: '1',
      CDK8S_CHECK_UPGRADE: 'false',
    };
    const steps = stepsOf(readFileSync(join(ROOT, 'docs', 'tutorials', page), 'utf8'));
    const begin = Date.now();
    for (const step of steps) {
      const done = paste(step, project, env);
      if ('commands' in step) {
        const expected = step.commands.map(({ command, prints }, i) => [command, prints ?? done[i].printed]);
        expect(done.map(({ command, printed }) => [command, printed])).toEqual(expected);
        expect(done.filter(({ status }) => status !== 0)).toEqual([]);
      }
    }
    expect(steps.length).toBeGreaterThan(5);
    expect(Date.now() - begin).toBeLessThan(600_000);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
