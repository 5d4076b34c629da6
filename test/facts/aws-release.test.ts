import { agreement, reportOf } from '../../scripts/facts/report';
import { type Request, run } from '../../scripts/facts/run';
import { awsRelease, NEWER, OLDER } from './aws-release';
import { folderWith } from './files';

const AWS = 'aws-load-balancer-controller';

const older = folderWith(awsRelease(OLDER));
const newer = folderWith(awsRelease(NEWER));
const runOf = (more: Partial<Request> = {}) =>
  run({ product: AWS, checkout: newer, against: older, folder: folderWith({}), ...more });

const both = runOf();

describe('two releases of the AWS Load Balancer Controller', () => {
  const ROWS: readonly (readonly [kind: string, what: string, name: string, edit: RegExp])[] = [
    ['gate', 'added', 'SlowStart', /\{ gate: 'SlowStart', member: 'slowStart', byDefault: false, since: '3\.6\.0' \}/],
    ['gate', 'changed', 'EndpointsFailOpen', /is 'false' since 3\.6\.0, and was 'true'/],
    ['gate', 'removed', 'NLBGatewayAPI', /until: '3\.6\.0'/],
    ['flag', 'added', 'drain-seconds', /\{ flag: 'drain-seconds', file: 'pkg\/config\/flags\.go', since: '3\.6\.0' \}/],
    ['flag', 'removed', 'ingress-class', /until: '3\.6\.0'/],
    ['annotation', 'added', 'service.beta.kubernetes.io/aws-load-balancer-drain-order', /an entry with the key/],
    ['annotation', 'removed', 'service.beta.kubernetes.io/aws-load-balancer-internal', /until: '3\.6\.0'/],
    ['rbac', 'changed', 'controller-role: core configmaps', /is 'create get update' since 3\.6\.0/],
    ['webhook', 'changed', 'mpod.elbv2.k8s.aws', /\/mutate-v1-pod Fail' since/],
    ['field', 'added', 'targetgroupbindings.elbv2.k8s.aws/v1beta1 spec.drainOrder', /: integer, since 3\.6\.0/],
    ['field', 'removed', 'targetgroupbindings.elbv2.k8s.aws/v1beta1 spec.targetGroupName', /until/],
    ['action', 'added', 'iam_policy: ec2:DescribeCoffee', /calls\(.*'ec2', 'DescribeCoffee'\)/],
    ['action', 'removed', 'iam_policy: ec2:DescribeSubnets', /until/],
    ['runs', 'changed', 'release', /is '3\.6\.0'/],
  ];

  test.each(ROWS)('%s %s: %s', async (kind, what, name, edit) => {
    const { comparison } = await both;
    const proposals = comparison.proposals.filter(({ fact }) => fact.kind === kind && fact.name === name);
    expect(new Set(proposals.map((each) => `${each.what} ${each.isDone}`))).toEqual(new Set([`${what} false`]));
    expect(proposals[0].edit).toMatch(edit);
  });

  test('have no edits beside these', async () => {
    const { comparison } = await both;
    // the version is in three files
    const names = new Set(comparison.proposals.map(({ what, fact }) => `${fact.kind} ${what} ${fact.name}`));
    expect([...names].sort()).toEqual(ROWS.map(([kind, what, name]) => `${kind} ${what} ${name}`).sort());
  });

  test('of which the first is the second have no edits', async () => {
    const { comparison, changedFiles } = await runOf({ checkout: older });
    expect([comparison.changes, comparison.proposals, changedFiles]).toEqual([[], [], []]);
  });

  test('are cited by entries and rules, first by those whose name is in a changed line', async () => {
    const { changedFiles = [], citations } = await both;
    const gates = changedFiles.find(({ file }) => file === 'pkg/annotations/constants.go');
    expect(citations).toBeGreaterThan(300);
    expect(gates?.added.length).toBe(1);
    expect(gates?.removed.length).toBe(1);
    expect(gates?.citations.map(({ who }) => who)).toContain('AWS_LBC_SOURCE');
    const policies = changedFiles.find(({ file }) => file === 'docs/install/iam_policy.json');
    expect(policies?.citations.map(({ who }) => who)).toContain('rule iam-actions-missing');
  });

  test('are cited where imports and comments alone changed by nobody', async () => {
    const files = awsRelease(OLDER);
    const moved = folderWith({
      ...files,
      'pkg/config/flags.go': files['pkg/config/flags.go']
        .replace('import "github.com/spf13/pflag"', '// Flags of the program.\nimport "example.test/v4/spf13/pflag"')
        .replace('"what it is for")', '"what it is for")  '),
    });
    const { changedFiles } = await runOf({ checkout: moved });
    expect(changedFiles).toEqual([]);
  });

  test('are compared without the older one where that is recorded', async () => {
    const folder = folderWith({});
    await runOf({ folder, write: true });
    const recorded = await runOf({ folder, against: undefined });
    const { comparison } = await both;
    expect(recorded.before).toBe('3.5.0');
    expect(recorded.comparison.proposals).toEqual(comparison.proposals);
    expect(recorded.changedFiles).toBeUndefined();
    expect(recorded.citing.map(({ who }) => who)).toContain('rule iam-actions-missing');
  });

  test('are one report, with the edits by file', async () => {
    const text = reportOf(await both, { all: false });
    expect(text).toMatch(/^# aws-load-balancer-controller 3\.6\.0, against 3\.5\.0$/m);
    expect(text).toMatch(/^## Edits: 16 to make, 0 already made$/m);
    expect(text).toMatch(/^src\/installations\/aws-load-balancer-controller\/flags\.facts\.ts:$/m);
    expect(text).toContain('/compare/v3.5.0...v3.6.0');
  });
});

test('a release that the tables know already has its edits marked, and is measured', async () => {
  const before = folderWith(awsRelease({ ...OLDER, version: '3.4.3' }));
  const after = folderWith(
    awsRelease({ ...OLDER, flags: { ...OLDER.flags, 'required-secrets-label': '', 'coffee-label': '' } }),
  );
  const report = await runOf({ checkout: after, against: before });
  const flags = report.comparison.proposals.filter(({ fact }) => fact.kind === 'flag');
  expect(flags.map(({ row, isDone }) => [row, isDone])).toEqual([
    ['required-secrets-label', true],
    ['coffee-label', false],
  ]);
  const { known, missed, noise } = agreement(report);
  // what these small releases do not change is missed
  expect(missed).toContain(
    'dependency sigs.k8s.io/gateway-api (src/controllers/aws-load-balancer-controller/upgrades.facts.ts)',
  );
  // the flag, and the version in three files
  expect(known - missed.length).toBe(4);
  expect(noise).toBe(1);
});
