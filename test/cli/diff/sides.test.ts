import { casesIn, table } from '../../support/yaml-cases';
import { CONTEXT, Folder, service } from './repository';

const ECHO = service('echo');
const BROKEN = 'apiVersion: v1\nkind: Service\nmetadata: {name: echo\n';

describe('usage', () => {
  const folder = new Folder({ 'old/echo.yaml': ECHO, 'new/echo.yaml': ECHO, 'wrong.yaml': 'colour: red\n' });

  test.each<[string[], string]>(table('cli/diff/sides.yaml', 'usage'))('%j', (args, message) => {
    const { out, error, code } = folder.diff(args);
    expect([out, code]).toEqual(['', 2]);
    expect(error).toContain(message);
  });

  test('without arguments it says what to name', () => {
    const { error, code } = folder.diff([]);
    expect(code).toBe(2);
    expect(error).toMatch(/diff has nothing to compare; name two sides, or a revision by --git\n$/);
  });
});

describe('what cannot be read is neither deleted nor created', () => {
  const right = { 'old/echo.yaml': ECHO, 'old/web.yaml': service('web'), 'new/web.yaml': service('web') };

  test.each<[string, Record<string, string | undefined>, Record<string, string>]>(
    table('cli/diff/sides.yaml', 'what cannot be read is neither deleted nor created', { ECHO }),
  )('%s', (_, files, outcomes) => {
    const folder = new Folder(right).write(files);
    expect(folder.outcomes('old', 'new', '--prune')).toEqual(outcomes);
    const { changes, unreadable } = folder.json('old', 'new');
    expect(unreadable).toHaveLength(1);
    expect(changes[0].causes[0].needs).toEqual([expect.stringMatching(/^a readable (old|new)\/echo\.yaml$/)]);
    expect(folder.diff(['old', 'new']).code).toBe(2);
  });

  test('a Service that is read with another type is, beside what cannot be read', () => {
    const plain = ECHO.replace('LoadBalancer', 'ClusterIP').replace(/ {2}loadBalancerClass.*\n/, '');
    const folder = new Folder(right).write({ 'new/echo.yaml': plain, 'new/x.yaml': BROKEN });
    expect(folder.outcomes('old', 'new')).toEqual({ 'edge/echo': 'deleted', 'edge/web': 'kept' });
  });

  test('a side that is not there, or empty', () => {
    const folder = new Folder(right).write({ 'none/readme.txt': '' });
    for (const none of ['nowhere', 'none']) {
      expect(new Set(Object.values(folder.outcomes(none, 'new')))).toEqual(new Set(['unknown']));
      expect(new Set(Object.values(folder.outcomes('old', none)))).toEqual(new Set(['unknown']));
    }
  });

  test('what is the same on both sides is a note: it changes nothing', () => {
    const folder = new Folder(right).write({ 'old/x.yaml': BROKEN, 'new/x.yaml': BROKEN, 'new/echo.yaml': ECHO });
    expect(folder.diff(['old', 'new']).code).toBe(0);
    expect(folder.json('old', 'new').notes).toEqual([expect.stringContaining('is the same on both sides')]);
  });
});

const KAFKA = casesIn(__dirname, 'sides.yaml').kafka;
const POOL = `apiVersion: kafka.strimzi.io/v1
kind: KafkaNodePool
metadata: { name: brokers, namespace: kafka, labels: { strimzi.io/cluster: events }, annotations: { strimzi.io/next-node-ids: '[0-1]' } }
spec: { replicas: 2, roles: [broker], storage: { type: ephemeral } }
`;

describe('balancers that are made of other objects', () => {
  const all = { 'old/kafka.yaml': KAFKA, 'old/pool.yaml': POOL, 'new/kafka.yaml': KAFKA, 'new/pool.yaml': POOL };

  test('are compared one by one', () => {
    expect(new Folder(all).outcomes('old', 'new')).toEqual({
      "kafka/events, listener 'external', bootstrap": 'kept',
      "kafka/events, listener 'external', broker 0": 'kept',
      "kafka/events, listener 'external', broker 1": 'kept',
    });
  });

  test('a broker that goes is lost, with the line of what makes it', () => {
    const fewer = POOL.replace('replicas: 2', 'replicas: 1').replace('[0-1]', '[0]');
    const { changes } = new Folder(all).write({ 'new/pool.yaml': fewer }).json('old', 'new');
    const gone = changes.find(({ title }) => title.endsWith('broker 1'));
    expect(gone?.outcome).not.toMatch(/kept|created|unknown/);
    expect(gone?.before?.place.file).toBe('old/kafka.yaml');
  });

  const BOOTSTRAP = "kafka/events, listener 'external', bootstrap";

  test.each([
    ['old', 'kept'],
    ['new', 'interrupted'],
  ])('are unknown where %s does not show how many there are, except for all of them', (without, outcome) => {
    const folder = new Folder(all).write({ [`${without}/pool.yaml`]: undefined });
    const { changes, summary } = folder.json('old', 'new', '--prune');
    expect(summary).toMatchObject({ [outcome]: 1, unknown: 2 });
    expect(changes.filter((one) => one.outcome === 'unknown').map(({ causes }) => causes[0].needs)).toEqual(
      Array(2).fill(['the KafkaNodePools of kafka/events with the ids of their brokers']),
    );
  });

  test('a cluster that neither side shows is unknown only where it changes, except for all brokers', () => {
    const folder = new Folder({ 'old/kafka.yaml': KAFKA, 'new/kafka.yaml': KAFKA });
    expect(folder.outcomes('old', 'new')).toEqual({ [BOOTSTRAP]: 'kept' });
    folder.write({ 'new/kafka.yaml': KAFKA.replace('9094', '9095') });
    expect(folder.outcomes('old', 'new')).toEqual({ [BOOTSTRAP]: 'interrupted', 'Kafka kafka/events': 'unknown' });
    folder.write({ 'new/kafka.yaml': KAFKA.replace('service.k8s.aws/nlb', 'example.com/other') });
    expect(folder.outcomes('old', 'new')).toEqual({ [BOOTSTRAP]: 'refused', 'Kafka kafka/events': 'unknown' });
    folder.write({ 'new/kafka.yaml': undefined, 'new/echo.yaml': ECHO });
    expect(folder.outcomes('old', 'new')).toMatchObject({ [BOOTSTRAP]: 'deleted', 'Kafka kafka/events': 'unknown' });
  });

  test('a template of another kind of object is unknown where it changes', () => {
    const release = (scheme: string) =>
      `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: shop, namespace: shop }\nspec:\n  values: { service: { type: LoadBalancer, scheme: ${scheme} } }\n`;
    const folder = new Folder({ 'old/a.yaml': release('internal'), 'new/a.yaml': release('internal') });
    expect(folder.outcomes('old', 'new')).toEqual({});
    folder.write({ 'new/a.yaml': release('internet-facing') });
    expect(folder.outcomes('old', 'new')).toEqual({ 'HelmRelease shop/shop': 'unknown' });
    expect(folder.diff(['old', 'new']).code).toBe(0);
    expect(folder.diff(['old', 'new', '--strict']).code).toBe(1);
    expect(folder.diff(['old', 'new', '--strict', '--allow', 'unknown=shop/shop']).code).toBe(1);
    expect(folder.diff(['old', 'new', '--strict', '--allow', 'unknown=HelmRelease shop/shop']).code).toBe(0);
  });
});

test('a controller goes with the release of its chart, as with its workload', () => {
  const release = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: lbc, namespace: kube-system}
spec: {chart: {spec: {chart: aws-load-balancer-controller}}}
`;
  const owned = service('echo');
  const folder = new Folder({ 'old/echo.yaml': owned, 'old/release.yaml': release, 'new/echo.yaml': owned });
  expect(folder.outcomes('old', 'new')).toEqual({ 'edge/echo': 'stuck' });
  expect(folder.outcomes('old', 'new', '--no-prune')).toEqual({ 'edge/echo': 'kept' });
});

describe('a live dump', () => {
  const dumped = (name: string, { namespace = 'edge', labels = '' } = {}) => {
    const [head, rest] = service(name, { namespace }).split('  annotations:\n');
    return `${head}  uid: 1-2-3\n  resourceVersion: '7'\n${labels}  annotations:\n${rest}status: { loadBalancer: {} }\n`;
  };
  const listed = (...texts: string[]) => texts.join('---\n');

  test('is known by what the API server writes, and has others that are not compared', () => {
    const folder = new Folder({
      'live.yaml': listed(dumped('echo'), dumped('web', { namespace: 'shop' }), dumped('db', { namespace: 'shop' })),
      'k8s/echo.yaml': ECHO,
    });
    const { before, after, notes, changes } = folder.json('live.yaml', 'k8s');
    expect([before.isLive, after.isLive]).toEqual([true, false]);
    expect(changes.map(({ title, outcome }) => [title, outcome])).toEqual([['edge/echo', 'kept']]);
    expect(notes).toEqual([
      '2 balancers of live.yaml in no file of k8s: not compared; with --prune they count as deleted',
    ]);
    expect(folder.outcomes('live.yaml', 'k8s', '--prune')).toMatchObject({
      'shop/web': 'deleted',
      'shop/db': 'deleted',
    });
  });

  test('what was applied as one set with one that is compared is compared', () => {
    const labels =
      '  labels: { kustomize.toolkit.fluxcd.io/name: edge, kustomize.toolkit.fluxcd.io/namespace: flux }\n';
    const folder = new Folder({
      'live.yaml': listed(dumped('echo', { labels }), dumped('old', { labels }), dumped('web')),
      'k8s/echo.yaml': ECHO,
    });
    const { changes, notes } = folder.json('live.yaml', 'k8s');
    expect(changes.map(({ title }) => title)).toEqual(['edge/old', 'edge/echo']);
    expect(notes).toContain(
      'objects that are no longer in any file belong to Kustomization of Flux flux/edge, as other compared objects do',
    );
  });

  test.each([
    ['of one namespace', 'shop', { 'edge/echo': 'unknown' }],
    ['of all namespaces', 'default', { 'edge/echo': 'created' }],
  ])('%s', (_, namespace, outcomes) => {
    const other = dumped(namespace === 'default' ? 'kubernetes' : 'web', { namespace });
    const folder = new Folder({ 'live.yaml': other, 'k8s/echo.yaml': ECHO });
    expect(folder.outcomes('live.yaml', 'k8s')).toEqual(outcomes);
  });

  test.each(['{"apiVersion":"v1","kind":"List","items":[]}', 'apiVersion: v1\nkind: ServiceList\nitems: []\n'])(
    'of a namespace without any: %s',
    (live) => {
      const folder = new Folder({ 'live.yaml': live, 'k8s/echo.yaml': ECHO });
      const { before, changes } = folder.json('live.yaml', 'k8s');
      expect(before.isLive).toBe(true);
      expect(changes).toMatchObject([
        { outcome: 'unknown', causes: [{ needs: ['the Services of the cluster in the dump'] }] },
      ]);
    },
  );

  test('without Services shows none of them', () => {
    const dump = KAFKA.replace('metadata: {', 'metadata: { uid: 1-2-3,');
    const folder = new Folder({ 'live.yaml': dump, 'k8s/echo.yaml': ECHO });
    expect(folder.json('live.yaml', 'k8s').changes[0].causes[0].needs).toEqual([
      'the Services of the cluster in the dump',
    ]);
  });

  test('as the newer side is told', () => {
    const folder = new Folder({ 'live.yaml': dumped('echo'), 'k8s/echo.yaml': ECHO });
    expect(folder.json('k8s', 'live.yaml').notes).toEqual([
      'live.yaml is a dump of a cluster; pass it as the older side',
    ]);
  });
});

describe('accepted losses', () => {
  const files = { 'old/echo.yaml': ECHO, 'old/web.yaml': service('web', { port: 80 }), 'new/echo.yaml': ECHO };
  const accepting = (entry: string) =>
    new Folder(files).write({ 'load-balancers.yaml': `${CONTEXT}accepted:\n- { ${entry} }\n` });
  const deleted = 'outcome: deleted, reason: nobody calls it';

  test.each<[string, string[], 0 | 1]>(table('cli/diff/sides.yaml', 'accepted losses'))('%s %j', (entry, args, code) =>
    expect(accepting(entry).diff(['old', 'new', '--prune', ...args]).code).toBe(code),
  );

  test('that do not happen are told, and what is over says so', () => {
    const folder = accepting(`${deleted}, object: edge/other`);
    expect(folder.json('old', 'new', '--allow', 'orphaned=edge/web').notes).toEqual([
      'load-balancers.yaml:3:3: deleted at edge/other is accepted and does not happen; remove the entry',
      '--allow: orphaned at edge/web is accepted and does not happen',
    ]);
    const over = accepting(`${deleted}, object: edge/web, until: 2020-01-01`).json('old', 'new', '--prune');
    expect(over.changes[0].causes[0].remedy).toContain('it was accepted until 2020-01-01');
  });

  test('are not told to be idle where something of their object is unknown', () => {
    const folder = accepting(`${deleted}, object: edge/web`).write({ 'new/broken.yaml': BROKEN });
    expect(folder.json('old', 'new').notes.filter((note) => note.includes('does not happen'))).toEqual([]);
  });

  test('change nothing of a check', () => {
    expect(accepting(`${deleted}, object: edge/web`).diff(['old', 'old']).code).toBe(0);
  });
});

test('a side against itself has nothing but what is kept', () => {
  const folder = new Folder({
    'a/echo.yaml': ECHO,
    'a/kafka.yaml': `${KAFKA}---\n${POOL}`,
    'a/web.yaml': service('web'),
  });
  expect(folder.diff(['a', 'a'])).toMatchObject({ code: 0, out: expect.stringMatching(/\n5 kept\n$/) });
  expect(folder.diff(['a', 'a']).out).toBe(folder.diff(['a', 'a']).out);
});

describe('money', () => {
  const context = `${CONTEXT}region: eu-west-1\n`;

  test('is that of both sides, with its terms', () => {
    const folder = new Folder({
      'load-balancers.yaml': context,
      'old/a.yaml': `${ECHO}---\n${service('web', { port: 80 })}`,
      'new/a.yaml': ECHO,
    });
    expect(folder.json('old', 'new').money).toEqual({
      brief: '-$18.40; without pruning USD 18.40 more',
      text: expect.stringMatching(
        /^USD (\d+\.\d\d) -> USD (\d+\.\d\d): - 0\.0\d+ × 730 h; without pruning USD 18\.40 more$/,
      ),
      isKnown: true,
      unknown: [],
    });
  });

  test('is not known where a side has what cannot be read', () => {
    const folder = new Folder({ 'load-balancers.yaml': context, 'old/a.yaml': ECHO, 'new/a.yaml': ECHO });
    folder.write({ 'new/b.yaml': BROKEN });
    expect(folder.json('old', 'new').money).toMatchObject({ isKnown: false, unknown: ['what of new cannot be read'] });
  });

  test('is no line where no vendor bills anything', () => {
    const folder = new Folder({ 'old/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n' });
    const { money, changes } = folder.json('old', 'old');
    expect([money, changes]).toEqual([undefined, []]);
    expect(folder.diff(['old', 'old'])).toMatchObject({ code: 0, out: 'no load balancers on either side\n' });
  });
});

test('what is needed is said once', () => {
  const other = ECHO.replace('service.k8s.aws/nlb', 'a.b/c');
  const folder = new Folder({
    'load-balancers.yaml': CONTEXT,
    'old/web.yaml': service('web'),
    'new/web.yaml': service('web'),
  });
  const { changes } = folder.write({ 'new/echo.yaml': other }).json('old', 'new');
  expect(changes[0]).toMatchObject({ title: 'edge/echo', outcome: 'unknown' });
  expect(changes[0].causes[0].needs?.[0]).toMatch(/^a controller that takes it/);
});

const VARIABLE = ['$', '{NAME}'].join('');

test.each([
  ['an annotation', 'scheme: internal', `scheme: '${VARIABLE}'`],
  ['a range', '  selector', `  loadBalancerSourceRanges: ['${VARIABLE}']\n  selector`],
  ['a namespace', 'namespace: edge', `namespace: ${VARIABLE}`],
])('what is filled in later is unknown: %s', (_, from, to) => {
  const folder = new Folder({ 'load-balancers.yaml': CONTEXT, 'old/echo.yaml': ECHO });
  const { changes } = folder.write({ 'new/echo.yaml': ECHO.replace(from, to) }).json('old', 'new');
  const echo = changes.find(({ title }) => title === 'edge/echo');
  expect(echo?.outcome).toBe('unknown');
  expect(echo?.causes[0].needs).toEqual([`the value of ${VARIABLE}`]);
  folder.write({ 'old/echo.yaml': ECHO.replace(from, to) });
  expect(folder.json('old', 'new').summary).toMatchObject({ kept: 1, unknown: 0 });
});
