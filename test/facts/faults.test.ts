import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Request, run } from '../../scripts/facts/run';
import { awsRelease, NEWER, OLDER } from './aws-release';
import { type Files, folderWith } from './files';

const AWS = 'aws-load-balancer-controller';
const older = folderWith(awsRelease(OLDER));

const without = (file: string): Files =>
  Object.fromEntries(Object.entries(awsRelease(NEWER)).filter(([path]) => path !== file));
const withText = (file: string, text: string): Files => ({ ...awsRelease(NEWER), [file]: text });

async function faultOf(request: Partial<Request>): Promise<string> {
  const asked = { product: AWS, checkout: older, against: older, folder: folderWith({}), ...request };
  return run(asked).then(
    () => 'none',
    (error: Error) => error.message,
  );
}

describe('one sentence', () => {
  const GATES = 'pkg/config/feature_gates.go';
  const ROLE = 'config/rbac/role.yaml';
  test.each<[string, () => Partial<Request>, RegExp]>([
    [
      'a product that is not known',
      () => ({ product: 'coffee' }),
      /^'coffee' is not a product that can be read; name one of aws-/,
    ],
    ['no folder', () => ({ checkout: '/no/such' }), /^\/no\/such is not a folder; name a checkout of aws-/],
    ['another product', () => ({ product: 'strimzi' }), /has no release\.version: it is not a checkout of strimzi, or/],
    [
      'a file that is gone',
      () => ({ checkout: folderWith(without(GATES)) }),
      /has no pkg\/config\/feature_gates\.go: /,
    ],
    [
      'definitions that are gone',
      () => ({ checkout: folderWith(without('config/crd/bases/elbv2.k8s.aws_targetgroupbindings.yaml')) }),
      /has no config\/crd\/…/,
    ],
    [
      'no Go',
      () => ({ checkout: folderWith(withText(GATES, 'package config\nconst (')) }),
      /^pkg\/config\/feature_gates\.go is not Go/,
    ],
    ['no YAML', () => ({ checkout: folderWith(withText(ROLE, 'a: [')) }), /^config\/rbac\/role\.yaml is not YAML: /],
    [
      'no JSON',
      () => ({ checkout: folderWith(withText('docs/install/iam_policy.json', '{')) }),
      /iam_policy\.json is not JSON: /,
    ],
    [
      'no version',
      () => ({ checkout: folderWith(withText('helm/aws-load-balancer-controller/Chart.yaml', 'a: b')) }),
      /Chart\.yaml does not say /,
    ],
    [
      'nothing recorded',
      () => ({ against: undefined }),
      /^no release of .* before 3\.5\.0 is recorded: .* is not there yet; name .* --against$/,
    ],
    [
      'a release that is not recorded',
      () => ({ against: undefined, since: '9.9.9' }),
      /^no release of .* like 9\.9\.9 is recorded/,
    ],
    [
      'a record that is broken',
      () => ({ folder: folderWith({ [`${AWS}.json`]: '{' }) }),
      /is not what this command writes .*; restore it$/,
    ],
  ])('for %s', async (_, request, sentence) => {
    const fault = await faultOf(request());
    expect(fault).toMatch(sentence);
    expect(fault.split('\n')).toHaveLength(1);
  });
});

describe('the command', () => {
  const root = join(__dirname, '..', '..');
  const facts = (...args: string[]) =>
    spawnSync(process.execPath, ['--import', 'tsx', 'scripts/facts.ts', ...args], { cwd: root, encoding: 'utf8' });

  test('ends with 2 and its sentence alone where a checkout cannot be read', () => {
    const { status, stderr, stdout } = facts(AWS, folderWith({}));
    expect([status, stdout, stderr.trim().split('\n').length]).toEqual([2, '', 1]);
    expect(stderr).toMatch(/it is not a checkout of aws-load-balancer-controller/);
  });

  test('prints a report and ends with 0', () => {
    const folder = folderWith({});
    const { status, stdout } = facts(AWS, folderWith(awsRelease(NEWER)), '--against', older, '--folder', folder);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^## Edits: 16 to make/m);
  });

  test('is a script of npm, so that its exit code stays', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(scripts.facts).toMatch(/^tsx .*scripts\/facts\.ts$/);
  });

  test('ends with 2 for an option that it does not know', () => {
    const { status, stderr } = facts(AWS, older, '--coffee');
    expect([status, stderr.trim().split('\n').length]).toEqual([2, 1]);
  });
});
