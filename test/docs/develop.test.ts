import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/docs/files';

// A suite that nobody knows of is not run.

/** Tasks of every project of projen, which are no suites of this one. */
const OF_PROJEN = ['test:update', 'test:watch'];

test('the page on developing has a row for every suite and every benchmark', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
  const suites = Object.keys(scripts).filter((name) => /^(test|bench)(:|$)/.test(name) && !OF_PROJEN.includes(name));
  const page = readFileSync(join(ROOT, 'docs', 'contributing', 'develop.md'), 'utf8');
  expect(suites.length).toBeGreaterThan(10);
  expect(suites.filter((name) => !page.includes(`| \`npm ${name === 'test' ? '' : 'run '}${name}\` |`))).toEqual([]);
});
