import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runJestLanes } from '../../scripts/suites/jest-lanes';

// Files of tests that run at once: what each of them counts is in the sum, also of one that cannot be read.

async function tallyOfFiles(files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'lanes-'));
  const written = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    mkdirSync(join(folder, 'tests'));
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(folder, 'tests', `${name}.test.js`), text);
    }
    const config = join(folder, 'jest.config.js');
    writeFileSync(config, `module.exports = { rootDir: ${JSON.stringify(join(folder, 'tests'))} };`);
    const tally = await runJestLanes({ config, folder, env: {}, within: [], count: 2, first: ['b'] });
    const order = written.mock.calls.map(([text]) => /(PASS|FAIL) .*?(\w+)\.test\.js/.exec(String(text))?.[2]);
    return { tally, order: order.filter((name) => name !== undefined) };
  } finally {
    written.mockRestore();
    rmSync(folder, { recursive: true, force: true });
  }
}

const passes = `test('passes', () => {});`;
const fails = `test('fails', () => { throw new Error('no'); });`;

test('the sum has what each file counts, and every file is shown', async () => {
  const { tally, order } = await tallyOfFiles({
    a: passes,
    b: `${passes}${fails}`,
    c: 'throw new Error("unreadable");',
  });
  expect(tally).toEqual({ passed: 2, failed: 2 });
  expect([...order].sort()).toEqual(['a', 'b', 'c']);
});

test('a suite without files has failed', async () => {
  expect((await tallyOfFiles({})).tally).toEqual({ passed: 0, failed: 1 });
});
