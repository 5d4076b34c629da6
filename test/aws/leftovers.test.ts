import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { until } from '../real/program';
import { descendantsOf, running } from './harness/aws-cluster';

const FIXTURE = join(__dirname, 'fixtures', 'holds-an-aws-cluster.ts');

test('a run that is killed leaves no process behind', async () => {
  const holder = spawn(process.execPath, ['--import', 'tsx', FIXTURE], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(holder, 'exit').then(() => {
    throw new Error('the process that holds the cluster has ended before it was ready');
  });
  const [line] = await Promise.race([once(holder.stdout, 'data'), ended]);
  const programs: number[] = JSON.parse(String(line));
  const all = descendantsOf(holder.pid as number);
  expect(programs).toHaveLength(4);
  expect(all).toEqual(expect.arrayContaining(programs));
  // the fake AWS and the controller each have somebody who watches for them
  expect(all.length).toBeGreaterThanOrEqual(programs.length + 2);

  holder.kill('SIGKILL');
  await ended.catch(() => undefined);
  await until('every program to end', () => running(all).length === 0, { seen: () => running(all) });
});
