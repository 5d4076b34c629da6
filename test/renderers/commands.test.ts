import { type Folder, Repository } from '../cli/diff/repository';
import { casesIn } from '../support/yaml-cases';
import { type Edits, edited, PLATFORM, platform, said } from './harness';

const CONTEXT = 'load-balancers.yaml';

interface Finding {
  readonly ruleId: string;
  readonly cluster: string;
  readonly object: { readonly kind: string; readonly name: string; readonly renderedFrom?: string };
  readonly place: { readonly file: string; readonly line: number; readonly column: number };
}

function json<T>(folder: Folder, ...args: readonly string[]): T {
  return JSON.parse(said(folder, [...args, '--format', 'json']).out) as T;
}

function findingsIn(folder: Folder, ...args: readonly string[]): readonly Finding[] {
  return json<{ findings: Finding[] }>(folder, 'check', ...args).findings;
}

/** A mistake in each kind of file that a source is made of, and where it is found, by cluster and object. */
const MISTAKES: Readonly<Record<string, { readonly edits: Edits; readonly places: readonly string[] }>> = casesIn(
  __dirname,
  'commands.yaml',
).mistakes;

describe('places', () => {
  test('the repository has no findings', () => {
    const { out, error, code } = said(platform(), ['check']);
    expect([code, error]).toEqual([0, '']);
    expect(out).toContain('\n0 errors, 0 warnings in 29 objects\n');
  });

  test.each(Object.entries(MISTAKES))('a finding names cluster, source and line of %s', (_, { edits, places }) => {
    const found = findingsIn(platform(edits)).map(({ cluster, object: { name, renderedFrom }, place }) => {
      const source = renderedFrom === undefined ? '' : `, ${renderedFrom}`;
      return `${cluster}${source}: ${name} at ${place.file}:${place.line}`;
    });
    expect([...new Set(found)].sort()).toEqual([...places].sort());
  });
});

describe('what is asked for', () => {
  const objects = (folder: Folder, ...args: readonly string[]) =>
    json<{ summary: { objects: number } }>(folder, 'check', ...args).summary.objects;

  test.each<[string, readonly string[], number]>([
    ['all clusters', [], 29],
    ['one cluster', ['--cluster', 'prod-aks'], 9],
    ['a source', ['overlays/eks-prod'], 8],
    ['sources below a folder', ['overlays'], 20],
    ['a chart', ['charts/portal'], 2],
    ['without plain files', ['--exclude', '/kafka'], 26],
    ['another file', ['--config', 'other.yaml'], 3],
  ])('%s', (_, args, count) => {
    const folder = platform({
      'other.yaml':
        'clusters: [{ name: kafka, controllers: [aws-load-balancer-controller], sources: [{ files: [kafka] }] }]\n',
    });
    expect(objects(folder, ...args)).toBe(count);
  });

  test('a path that no source has names the clusters', () => {
    const { error, code } = said(platform(), ['check', 'docs']);
    expect(error).toBe(
      'docs is in no source of the clusters in load-balancers.yaml; name its cluster: --cluster prod-eks | staging-eks | prod-aks\n',
    );
    expect(code).toBe(2);
  });

  test('two folders are compared as two revisions are', () => {
    const folder = new Repository({
      ...within('old', PLATFORM),
      ...within('new', {
        ...PLATFORM,
        ...edited({ 'values/shop-prod.yaml': { swap: ['internet-facing', 'internal'] } }),
      }),
    });
    const { out, code } = said(folder, ['diff', 'old', 'new']);
    expect(out).toMatch(
      /REPLACED +shop\/shop: service\S+-scheme internet-facing -> internal \(new\/charts\/shop\/templates\/service\.yaml:7\)/,
    );
    expect(out.match(/^\d+ .*kept$/gm)).toEqual(['1 replaced, 5 kept', '3 kept', '4 kept']);
    expect(code).toBe(1);
  });
});

/** Files in a folder. */
function within(
  folder: string,
  files: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(files).map(([file, text]) => [`${folder}/${file}`, text]));
}

describe('without the file', () => {
  const without = (edits: Edits = {}) => platform({ [CONTEXT]: undefined, ...edits });

  test('kustomizations and charts are found, and one line says so', () => {
    const { notes } = json<{ notes: string[] }>(without(), 'check');
    expect(notes.filter((note) => note.startsWith('assumed'))).toEqual([
      'assumed that one cluster gets 4 kustomizations (clusters/prod-aks/flux-system, overlays/aks-prod, overlays/eks-prod and 1 more), 3 charts with default values (charts/portal, charts/shop, tools/demo), 11 other files; declare clusters and sources in load-balancers.yaml',
    ]);
  });

  test('neither bases nor templates are balancers', () => {
    const listed = json<Record<'namespace' | 'name', string>[]>(without(), 'list');
    const names = listed.map(({ namespace, name }) => (namespace ? `${namespace}/${name}` : name));
    expect(names.sort()).toEqual(
      [
        ...['demo', 'portal', 'shop', 'edge/probe'],
        ...['edge/api', 'edge/api', 'edge/echo', 'edge/echo', 'edge/smtp', 'edge/smtp'],
        ...['kafka/events-kafka-external-bootstrap', 'staging/staging-api', 'staging/staging-echo'],
      ].sort(),
    );
  });

  test('the first file has what Argo CD and Flux apply', () => {
    const folder = without();
    expect(said(folder, ['check', '--init'])).toMatchObject({ code: 0, error: '' });
    const text = folder.read(CONTEXT);
    expect(text).toContain(
      '  - name: prod-eks\n    sources:\n      - kustomize: overlays/eks-prod\n      - helm: { chart: charts/shop, release: shop, namespace: shop, values: [values/shop.yaml, values/shop-prod.yaml] }\n',
    );
    expect(text).toContain(
      '  - name: prod-aks\n    sources:\n      - kustomize: overlays/aks-prod\n      - helm: { chart: charts/portal, release: portal, namespace: portal',
    );
    expect(said(folder, ['check'])).toMatchObject({ code: 0, error: '' });
  });
});

describe('programs', () => {
  const kubectl = `[ "$1" = kustomize ] && shift && exec "${process.env.KUSTOMIZE}" build "$@"; exit 1`;
  const helm = `exec "${process.env.HELM}" "$@"`;

  test('kubectl takes the place of kustomize', () => {
    const { out, code } = said(platform(), ['check'], { kubectl, helm });
    expect(out).toContain('\n0 errors, 0 warnings in 29 objects\n');
    expect(code).toBe(0);
  });

  test.each(['check', 'list', 'report', 'diff --git main', 'explain edge/api'])('%s without programs', (command) => {
    const { out, error, code } = said(platform(), command.split(' '), {});
    expect(code).toBe(2);
    const told = `${out}${error}`.replace(/\n\s+/g, ' ');
    expect(told.match(/overlays\/eks-prod: neither kustomize nor kubectl is in PATH/g)).toHaveLength(1);
    expect(told.match(/charts\/portal: helm is not in PATH/g)).toHaveLength(1);
  });

  test.each(['check', 'list', 'report'])('%s without programs, where nothing is declared', (command) => {
    const { out, error, code } = said(platform({ [CONTEXT]: undefined }), [command], {});
    expect(code).toBe(0);
    const told = `${out}${error}`.replace(/\n\s+/g, ' ');
    expect(told.match(/not rendered, so their objects are not known/g)).toHaveLength(2);
    expect(told).toContain('charts/portal, charts/shop, tools/demo are not rendered');
  });
});
