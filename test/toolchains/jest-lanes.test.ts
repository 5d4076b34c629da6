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
    const again = written.mock.calls.map(([text]) => String(text)).filter((text) => text.startsWith('tried again'));
    return { tally, again, order: order.filter((name) => name !== undefined) };
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

test('a test that passes only when it is tried again is told, and one that fails twice has failed', async () => {
  const twice = `jest.retryTimes(1, { retryImmediately: true });`;
  const { tally, again } = await tallyOfFiles({
    a: `${twice}let tries = 0; test('is late', () => { tries += 1; if (tries < 2) throw new Error('no'); });`,
    b: `${twice}${fails}${passes}`,
  });
  expect(tally).toEqual({ passed: 2, failed: 1 });
  expect(again).toEqual(['tried again: is late\n']);
});
