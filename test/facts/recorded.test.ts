import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compared } from '../../scripts/facts/compare';
import { byKey, type Fact } from '../../scripts/facts/fact';
import { History } from '../../scripts/facts/history';
import { PRODUCTS } from '../../scripts/facts/products';
import { folderWith } from './files';

const gate = (name: string, value: string, file = 'gates.go'): Fact => ({ kind: 'gate', name, value, file });

describe('what is recorded', () => {
  const RELEASES: readonly (readonly [string, readonly Fact[]])[] = [
    ['1.9.4', [gate('Old', 'true'), gate('Turned', 'false'), gate('Back', 'true')]],
    ['1.10.0', [gate('Old', 'true'), gate('Turned', 'true', 'moved.go')]],
    ['2.0.1', [gate('Turned', 'true', 'moved.go'), gate('Back', 'true'), gate('New: a b', 'it is "quoted"')]],
  ];
  const file = join(folderWith({}), 'product.json');
  const history = RELEASES.reduce(
    (all, [version, facts]) => all.with(version, byKey(facts)),
    History.load(file, 'a/b'),
  );
  history.save(file);
  const loaded = History.load(file, 'a/b');

  test.each([
    ['Old', [{ value: 'true', until: '2.0' }]],
    [
      'Turned',
      [
        { value: 'false', until: '1.10' },
        { value: 'true', since: '1.10' },
      ],
    ],
    [
      'Back',
      [
        { value: 'true', until: '1.10' },
        { value: 'true', since: '2.0' },
      ],
    ],
    ['New: a b', [{ value: 'it is "quoted"', since: '2.0' }]],
  ])('%s has since and until by minor version', (name, spans) => {
    expect(loaded.spans('gate', name)).toEqual(spans);
  });

  test('is read as it was written, whatever the order of reading', () => {
    for (const [version, facts] of RELEASES) {
      const values = ({ kind, name, value }: Fact) => ({ kind, name, value });
      expect([...(loaded.of(version)?.facts.values() ?? [])].map(values)).toEqual(
        expect.arrayContaining(facts.map(values)),
      );
      expect(loaded.of(version)?.facts.size).toBe(facts.length);
    }
    const other = join(folderWith({}), 'product.json');
    const reversed = [...RELEASES].reverse();
    reversed.reduce((all, [version, facts]) => all.with(version, byKey(facts)), History.load(other, 'a/b')).save(other);
    expect(readFileSync(other, 'utf8')).toBe(readFileSync(file, 'utf8'));
  });

  test('keeps one release of a minor version', () => {
    expect(loaded.with('1.10.3', byKey([])).releases).toEqual(['1.9.4', '1.10.3', '2.0.1']);
    expect([loaded.before('2.0.0'), loaded.before('1.10.0'), loaded.before('1.9.9')]).toEqual([
      '1.10.0',
      '1.9.4',
      undefined,
    ]);
  });
});

/** Rows that the tables have for another reason than what is read: each says why. */
const ON_PURPOSE: Readonly<Record<string, readonly RegExp[]>> = {
  'aws-load-balancer-controller': [
    /\.\{port\} |actions\.\{protocol\}/, // made of a beginning and a parameter, elsewhere
    /elbv2\.k8s\.aws\/resources/, // in the package of its controller
    /wafv2:ListWebACLs/, // called, and in no policy
  ],
  'cloud-provider-aws': [/load-balancer-source-ranges/], // of Kubernetes itself
  'cloud-provider-azure': [
    /load-balancer-source-ranges/, // of Kubernetes itself
    /azure-load-balancer-ipv[46] |azure-pip-(name|prefix-id)|port_\{port\}/, // made of parts
    /azure-shared-securityrule/, // not read since v1.36.0, as its entry says
  ],
};

describe.each(PRODUCTS.filter(({ name }) => name !== 'envoy-gateway'))('the tables about $name', (product) => {
  const history = History.load(join(__dirname, '..', '..', 'facts', `${product.name}.json`), product.repository);
  const newest = history.releases[history.releases.length - 1];
  const facts = history.of(newest)?.facts ?? byKey<Fact>([]);

  test('say what its newest recorded release says', () => {
    expect(facts.size).toBeGreaterThan(50);
    const { differences } = compared({ product, before: facts, after: facts, versions: [newest, newest] });
    const reasons = ON_PURPOSE[product.name] ?? [];
    expect(differences.filter((line) => !reasons.some((reason) => reason.test(line)))).toEqual([]);
    // and no reason outlives what it is for
    expect(reasons.filter((reason) => !differences.some((line) => reason.test(line)))).toEqual([]);
  });
});
