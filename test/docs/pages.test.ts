import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Ajv from 'ajv';
import { App, Chart, Include } from 'cdk8s';
import { parse } from 'yaml';
import {
  ANNOTATION_SCHEMAS,
  annotationSchemas,
  FORMS,
  NUMBERS,
  SPELLINGS,
} from '../../scripts/docs/annotation-schemas';
import { filesIn, ROOT } from '../../scripts/docs/files';
import { RULES_PAGE, rulePagePath, rulePages, withRuleLinks } from '../../scripts/docs/rule-pages';
import { ruleIdsOf } from '../../scripts/docs/rules-page';
import { checkedBefore, filesAfter, STORIES, storyOf } from '../../scripts/docs/stories';
import { llmsOf, SKILL } from '../../scripts/site/llms';
import { BEGIN, partsOf } from '../../scripts/site/navigation';
import { AdoptedService, AwsLoadBalancerController, LoadBalancerScheme, NlbTargetType } from '../../src';
import { check } from '../../src/cli/check';
import { CONTEXT_FILE, readContextFile } from '../../src/cli/context/context-file';
import { describedRules } from '../../src/cli/explain/described-rules';
import { allCommands } from '../../src/cli/main';
import { readManifests } from '../../src/cli/manifests';
import { LOSSES } from '../../src/contract/edit';
import { knownKinds } from '../../src/rules/known-kinds';
import { Repository, service } from '../cli/diff/repository';
import { errorsOf, stderrOf } from '../support/apps';
import { run } from '../support/command';
import { fileWith, folderWith } from '../support/files';
import { FIRST_EXAMPLE, manifestsOf, README } from '../support/pasted-page';
import { sources } from '../support/sources';
import { table } from '../support/yaml-cases';

const ajv = new Ajv({ strict: false });
const schemas = new Map(annotationSchemas(knownKinds()).map(([file, text]) => [file, ajv.compile(JSON.parse(text))]));

function accepts(schema: string, annotations: unknown, kind = 'Service'): boolean {
  return (
    schemas.get(`${ANNOTATION_SCHEMAS}${schema}.json`)?.({ apiVersion: 'v1', kind, metadata: { annotations } }) === true
  );
}

test.each(knownKinds().filter(({ catalogue }) => catalogue.annotations.length > 0))(
  '$name: the schema accepts all that the controller reads',
  ({ name, catalogue }) => {
    const refused = catalogue.annotations.flatMap((annotation) => {
      const key = annotation.fact.key.replace(/\{\w+\}/g, '80');
      const examples = annotation.fact.codec.examples.map((example) => annotation.fact.codec.encode(example));
      const read = [...examples, ...FORMS, ...SPELLINGS, ...NUMBERS].filter(
        (text) => 'value' in annotation.decode(text),
      );
      return read.flatMap((text) =>
        [name, 'service']
          .filter((schema) => !accepts(schema, { [key]: text }))
          .map((schema) => `${schema} ${key}: ${text}`),
      );
    });
    expect(refused).toEqual([]);
  },
);

test.each<[string, unknown, boolean]>(table('docs/pages.yaml', 'annotations'))(
  'annotations: %s',
  (_, annotations, expected) => {
    expect(accepts('service', annotations)).toBe(expected);
    expect(accepts('service', annotations, 'Ingress')).toBe(true);
  },
);

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

// What the commands of an incident find must be of one Service, and of one cluster where the cloud knows it.

const PAGE = readFileSync(join(ROOT, 'docs', 'stuck-in-terminating.md'), 'utf8');

/** The part of step 6 for a cloud. */
function cloud(name: string): string {
  const [, section] = PAGE.split(`\n### ${name}\n`);
  return section.split(/^##/m)[0];
}

test('balancers of AWS are found by the tag of their cluster too', () => {
  const stacks = PAGE.match(/service\.k8s\.aws\/stack,Values=\S+/g) ?? [];
  expect(stacks.length).toBeGreaterThan(1);
  expect(PAGE.match(/Name=tag:service\.k8s\.aws\/stack/g)).toHaveLength(
    PAGE.match(/Name=tag:elbv2\.k8s\.aws\/cluster,Values=\$CLUSTER/g)?.length ?? 0,
  );
  expect(cloud('AWS').match(/Key=elbv2\.k8s\.aws\/cluster,Values=\$CLUSTER/g)).toHaveLength(1);
  expect(cloud('AWS')).not.toMatch(/--tag-filters (?!"\$\{TAGS\[@\]\}")/);
});

test('nothing of AWS is changed or deleted before it is known that one balancer was found', () => {
  const [before, after] = cloud('AWS').split('-eq 1 ]; then\n');
  expect(before).not.toMatch(/modify-|delete-/);
  expect(after).toMatch(/^ +aws elbv2 modify-load-balancer-attributes/);
});

/** What forwarding rules and the like have as descriptions: kubernetes/ingress-gce acbcf5d6, pkg/utils/utils.go. */
const l4 = (service: string) => `{"networking.gke.io/service-name":"${service}","networking.gke.io/api-version":"ga"}`;
/** Those of a service controller: kubernetes/cloud-provider-gcp 4e245312, providers/gce/gce_loadbalancer_naming.go. */
const legacy = (service: string) =>
  `{"kubernetes.io/service-name":"${service}", "kubernetes.io/service-ip":"192.0.2.1"}`;

test('filters for GKE find one Service, and none whose name begins or ends alike', () => {
  const filters = [...cloud('GKE').matchAll(/--filter="description~'([^']*)'"/g)].map(
    ([, filter]) => new RegExp(filter.replace(/\\"/g, '"').replace('$NAMESPACE/$SERVICE', 'shop/echo')),
  );
  expect(filters).toHaveLength(cloud('GKE').match(/--filter=/g)?.length ?? 0);
  for (const filter of filters) {
    expect([l4('shop/echo'), legacy('shop/echo')].filter((one) => !filter.test(one))).toEqual([]);
    const others = ['shop/echo-2', 'my-shop/echo', 'shop/echoes'].flatMap((other) => [l4(other), legacy(other)]);
    expect(others.filter((one) => filter.test(one))).toEqual([]);
  }
});

test('public addresses of Azure are found by whole names', () => {
  expect(cloud('Azure')).not.toContain("'$NAMESPACE/$SERVICE'");
  expect(cloud('Azure')).toContain("',$NAMESPACE/$SERVICE,'");
});

/** Lines of the AWS controller's log, the second written by controller-runtime for an error of a pass. */
const LOG = (namespace: string, name: string) => [
  `{"level":"info","ts":"2026-11-22T10:00:00Z","msg":"successfully deployed model","service":"${namespace}/${name}"}`,
  `{"level":"error","ts":"2026-11-22T10:00:00Z","msg":"Reconciler error","controller":"service","namespace":"${namespace}","name":"${name}","reconcileID":"1f6a","error":"AccessDenied"}`,
];

test.each(['stuck-in-terminating.md', 'stuck-in-pending.md'])(
  'the command for the log in %s finds errors too',
  (page) => {
    const [, grep] = /^kubectl logs .*aws-load-balancer-controller .* \| (grep .*)$/m.exec(
      readFileSync(join(ROOT, 'docs', page), 'utf8'),
    ) as RegExpExecArray;
    const lines = [...LOG('shop', 'echo'), ...LOG('other', 'echo'), ...LOG('shop', 'books')];
    const env = { ...process.env, NAMESPACE: 'shop', SERVICE: 'echo' };
    const found = execFileSync('bash', ['-euc', grep], { env, input: lines.join('\n'), encoding: 'utf8' });
    expect(found.trim().split('\n')).toEqual(LOG('shop', 'echo'));
  },
);

test('the README has two screens: what is longer has a page', () => {
  expect(README.trimEnd().split('\n').length).toBeLessThanOrEqual(200);
  expect(README.split(/\s+/).filter((word) => word !== '').length).toBeLessThanOrEqual(1250);
});

test('a reader of the README copies four lines at most for each way in, and they name what there is', () => {
  const [, section] = /^## Try it\n(.*?)^## /ms.exec(README) ?? [];
  const blocks = [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language, text]) => ({ language, text }));
  expect(blocks.map(({ language }) => language)).toEqual(['sh', 'yaml', 'yaml']);
  expect(blocks.filter(({ text }) => text.trimEnd().split('\n').length > 4)).toEqual([]);
  const [{ text: shell }, { text: hook }, { text: action }] = blocks;
  const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
  const { scripts, bin, repository } = JSON.parse(read('package.json'));
  for (const [, name] of shell.matchAll(/npm run (\w+)/g)) {
    expect(scripts).toHaveProperty([name]);
  }
  for (const name of ['npx cdk8s-load-balancers', 'cdk8s-load-balancers.mjs', 'kubectl-lb', 'docker build']) {
    expect(shell).toContain(name);
  }
  expect(Object.keys(bin)).toContain('kubectl-lb');
  const [{ repo, hooks }] = parse(hook);
  expect(`${repo}.git`).toBe(repository.url);
  const known = (parse(read('.pre-commit-hooks.yaml')) as { id: string }[]).map(({ id }) => id);
  expect(known).toContain(hooks[0].id);
  const [{ uses, with: inputs }] = parse(action);
  expect(repo).toBe(`https://github.com/${uses.replace(/@.*/, '')}`);
  expect(Object.keys(parse(read('action.yml')).inputs)).toEqual(expect.arrayContaining(Object.keys(inputs)));
});

test('the README shows the commands, a finding and a change, then a construct, the controllers and the stories', () => {
  const order = [
    'npm ci',
    'check examples',
    'load-balancers diff',
    'new LoadBalancedService',
    '## Controllers',
    '| story',
  ];
  const places = order.map((text) => README.indexOf(text));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

test('the example of the README is a whole program, and its Service is beside it', () => {
  const service = /<!-- manifest -->\n\n```yaml\n(.*?)\n```/s.exec(README)?.[1] ?? '';
  expect(service).toContain('service.k8s.aws/resources');
  expect(manifestsOf(FIRST_EXAMPLE)).toContain(service);
});

// What the pages quote of them is generated, and compared in test/pages.deep.test.ts. Here is what makes them stories.

const names = STORIES.map(({ name }) => name);

test.each(names)('the YAML of %s has a finding that counts, and is read as a whole', (name) => {
  const { findings, unreadable } = checkedBefore(name);
  expect(unreadable).toEqual([]);
  expect(findings.filter(({ accepted }) => accepted === undefined)).not.toEqual([]);
});

test.each(names)('the program of %s writes manifests without a finding, and no warning beside them', (name) => {
  let files: ReadonlyMap<string, string> = new Map();
  expect(
    stderrOf(() => {
      files = filesAfter(name);
    }),
  ).toBe('');
  const contexts = [...files].map(([file, text]) => [storyOf(name).clusters?.[file] ?? CONTEXT_FILE, text]);
  const clusters = [...new Set(contexts.map(([context]) => context))];
  const written = (cluster: string) => contexts.filter(([context]) => context === cluster).map(([, text]) => text);
  expect(clusters.flatMap((cluster) => foundIn(name, cluster, written(cluster).join('---\n')))).toEqual([]);
});

test('the YAML of node-pool stops the synth by the same rule', () => {
  const app = new App();
  const chart = new Chart(app, 'edge', { namespace: 'edge' });
  const url = join(ROOT, 'examples', 'stories', 'node-pool', 'before.yaml');
  const include = new Include(chart, 'Yaml', { url });
  const [workload, service] = include.apiObjects;
  const controller = AwsLoadBalancerController.nlb({ targetType: NlbTargetType.INSTANCE });
  new AdoptedService(chart, 'Echo', { service, workload, controller, scheme: LoadBalancerScheme.INTERNAL });
  expect(errorsOf(chart)).toEqual([expect.stringMatching(/^\[edge\/.*\(backend-without-pods\)$/)]);
});

/** What is found in manifests, given what is known of the cluster of a story, but for what is accepted there. */
function foundIn(name: string, contextFile: string, manifests: string): string[] {
  const { context, mistakes } = readContextFile(join(ROOT, 'examples', 'stories', name, contextFile));
  if (!context) return mistakes.map(({ what }) => what);
  const { findings } = check(readManifests([fileWith(manifests)]), context);
  return findings.filter(({ accepted }) => accepted === undefined).map(({ ruleId, what }) => `${ruleId}: ${what}`);
}

describe('take down finalizers', () => {
  // Step 2 of the page on taking a cluster down: a Service is protected by the finalizer of its own controller alone.

  const PAGE = readFileSync(join(ROOT, 'docs', 'how-to', 'take-a-cluster-down.md'), 'utf8');
  const [, COMMANDS] = /^```sh\n(awk[\s\S]*?)^```$/m.exec(PAGE) as RegExpExecArray;

  const folder = folderWith();

  /** Whether the commands of the page name a Service as one that loses its balancer. */
  function isUnprotected(loadBalancerClass: string, finalizers: readonly string[], type = ''): boolean {
    const list = finalizers.length > 0 ? JSON.stringify(finalizers) : '';
    const row = ['shop', 'echo', loadBalancerClass, list, '[{"ip":"192.0.2.1"}]', type];
    writeFileSync(join(folder, 'balancers.txt'), `${row.join('\t')}\n`);
    const said = execFileSync('bash', ['-euc', COMMANDS], { cwd: folder, encoding: 'utf8' });
    expect(['', 'shop\techo\n']).toContain(said);
    return said !== '';
  }

  test.each<[title: string, loadBalancerClass: string, finalizers: string[], type?: string]>(
    table('docs/pages.yaml', 'it would lose its balancer'),
  )('%s: it would lose its balancer', (...[, loadBalancerClass, finalizers, type]) => {
    expect(isUnprotected(loadBalancerClass, finalizers, type)).toBe(true);
  });

  test.each<[title: string, loadBalancerClass: string, finalizers: string[], type?: string]>(
    table('docs/pages.yaml', 'it is protected'),
  )('%s: it is protected', (...[, loadBalancerClass, finalizers, type]) => {
    expect(isUnprotected(loadBalancerClass, finalizers, type)).toBe(false);
  });
});

describe('pages of rules', () => {
  const PAGES = new Map(rulePages());

  test('every rule of the reference has a page, which says what happens on a live cluster', () => {
    const ids = ruleIdsOf(readFileSync(join(ROOT, RULES_PAGE), 'utf8'));
    expect([...PAGES.keys()].sort()).toEqual(ids.map(rulePagePath).sort());
    expect([...PAGES].filter(([, page]) => !/## What happens\n\n[A-Z`k].{15,230}\.\n/.test(page))).toEqual([]);
  });

  test.each([
    ['field-wrong-type', 'The API server refuses the object'],
    ['access-logs-without-bucket', 'The controller refuses it'],
  ])('%s: %s', (id, happens) => expect(PAGES.get(rulePagePath(id))).toContain(`## What happens\n\n${happens}`));

  test('the page of all rules links the page of each, which links back without an anchor', () => {
    const text = withRuleLinks(readFileSync(join(ROOT, RULES_PAGE), 'utf8'));
    const linked = [...text.matchAll(/\]\((rules\/[a-z0-9-]+\.md)\)/g)].map(([, path]) => `docs/reference/${path}`);
    expect([...new Set(linked)].sort()).toEqual([...PAGES.keys()].sort());
    expect([...PAGES].filter(([, page]) => page.includes('rules.md#'))).toEqual([]);
  });

  test('a page has what explain prints: why, both manifests, the place where it was read', () => {
    const text = PAGES.get(rulePagePath('local-policy-without-pool')) ?? '';
    const words = (printed: string) => printed.replace(/[^A-Za-z0-9]+/g, ' ').toLowerCase();
    const printed = run('explain', 'local-policy-without-pool')
      .out.split('\n')
      .map((line) => line.replace(/^[ >]+/, ''));
    const missing = printed.filter(
      (line) => !/^(rule|bad|good|read on|fix|what to do|load-balancers)/.test(line.trim()),
    );
    expect(missing.filter((line) => !words(text).includes(words(line).trim()))).toEqual([]);
    expect(text).toMatch(/## Bad[\s\S]*## Good/);
  });

  test('the index for tools has a line for each page that readers choose from, with its first sentence', () => {
    const texts = new Map([
      [BEGIN, '## Check\n\n[a page](how-to/a.md)\n'],
      ['docs/how-to/a.md', '# A\n\nDoes [x](y.md) well. And y.\n'],
    ]);
    const text = llmsOf(
      { name: 'it', description: 'A library' },
      texts,
      partsOf(`x\n## Check\n\n[a page](how-to/a.md)\n`),
    );
    expect(text).toContain('# it\n\n> A library.');
    expect(text).toContain('## Check\n\n- [A page](docs/how-to/a.html): Does x well.');
  });
});

describe('links', () => {
  // Whoever follows a link arrives, and every page is found by following links from the README.

  const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
  const atRoot = readdirSync(ROOT).filter((file) => file.endsWith('.md'));
  const pages = [...atRoot, ...['docs', 'examples', 'test'].flatMap((folder) => filesIn(folder, '.md'))];

  /** The anchors that GitHub gives to the headings of a page: a second one of a name has a number. */
  function anchorsIn(text: string): string[] {
    const seen = new Map<string, number>();
    return [...withoutFences(text).matchAll(/^#+ (.+)$/gm)].map(([, title]) => {
      const name = title
        .replace(/\]\([^)]*\)/g, ']')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_\- ]/gu, '')
        .replace(/ /g, '-');
      const times = seen.get(name) ?? 0;
      seen.set(name, times + 1);
      return times === 0 ? name : `${name}-${times}`;
    });
  }

  function withoutFences(text: string): string {
    return text.replace(/^[ \t]*(```+)[^\n]*\n.*?^[ \t]*\1[ \t]*$/gms, '');
  }

  /** Where the links and pictures of a page lead inside of the repository, anchors and all. */
  function localLinksOf(text: string): string[] {
    const prose = withoutFences(text).replace(/`[^`\n]*`/g, '');
    const written = [...prose.matchAll(/\]\(([^)\s]+)\)/g), ...prose.matchAll(/^\[[^\]]+\]: (\S+)$/gm)];
    const inTags = prose.matchAll(/<(?:a|img|source)\b[^>]*?\b(?:href|src|srcset)="([^"]+)"/g);
    return [...written, ...inTags].map(([, link]) => link).filter((link) => !/^[a-z]+:/.test(link));
  }

  /** What a link of a page leads to: a path of the repository, and an anchor there. */
  function targetOf(page: string, link: string): { readonly path: string; readonly anchor?: string } {
    const [path, anchor] = link.split('#');
    return { path: path === '' ? page : join(dirname(page), decodeURI(path)), anchor };
  }

  function isBroken(page: string, link: string): boolean {
    const { path, anchor } = targetOf(page, link);
    return (
      path.startsWith('..') ||
      !existsSync(join(ROOT, path)) ||
      (anchor !== undefined && !(path.endsWith('.md') && anchorsIn(read(path)).includes(anchor)))
    );
  }

  test.each(pages)('every link of %s leads somewhere', (page) => {
    expect(localLinksOf(read(page)).filter((link) => isBroken(page, link))).toEqual([]);
  });

  test('every page of a rule has its first release, and a citation: upstream, or a page and a heading of docs', () => {
    const lines = rulePages().flatMap(
      ([path, text]) => text.match(/^- since: .+\n(?:- .+\n)?- source: .+$/gm) ?? [path],
    );
    expect(lines).toHaveLength(describedRules().length);
    const own = /- source: cdk8s-load-balancers, (\S+)$/;
    const isCited = (line: string) =>
      !isBroken('README.md', own.exec(line)?.[1] ?? 'README.md') && /source: \S.*, \S/.test(line);
    expect(
      lines.filter((line) => !/^- since: cdk8s-load-balancers \d+\.\d+\.\d+$/m.test(line) || !isCited(line)),
    ).toEqual([]);
  });

  test.each<[string, string, string[]]>(table('docs/pages.yaml', 'of a text with a link to that link is broken'))(
    'of a text with a link to %s, that link is broken',
    (_, text, broken) => {
      expect(localLinksOf(text).filter((link) => !link.startsWith('#') && isBroken('README.md', link))).toEqual(
        broken.filter((link) => !link.startsWith('#')),
      );
      const own = localLinksOf(text).filter((link) => link.startsWith('#'));
      expect(own.filter((link) => !anchorsIn(text).includes(link.slice(1)))).toEqual(
        broken.filter((link) => link.startsWith('#')),
      );
    },
  );

  test('of two headings with one name the second has an anchor of its own', () => {
    expect(anchorsIn('# A `b`\n\n## Use [it](x.md)\n\n## Use it\n\n```sh\n# no heading\n```\n')).toEqual([
      'a-b',
      'use-it',
      'use-it-1',
    ]);
  });

  test('every page is reached from the README by links', () => {
    const reached = new Set<string>();
    const follow = (page: string): void => {
      if (reached.has(page) || !page.endsWith('.md')) return;
      reached.add(page);
      for (const link of localLinksOf(read(page))) {
        const { path } = targetOf(page, link);
        if (!existsSync(join(ROOT, path))) continue;
        const found = statSync(join(ROOT, path)).isDirectory() ? filesIn(path, '.md') : [path];
        for (const each of found.filter((file) => dirname(file) === path || file === path)) follow(each);
      }
    };
    follow('README.md');
    expect(pages.filter((page) => page.startsWith('docs/') && !reached.has(page))).toEqual([]);
  });

  test('the beginning of the docs leads to every handwritten page', () => {
    const begin = read('docs/README.md');
    const written = filesIn('docs', '.md').filter(
      (file) => !/^docs\/(README|reference\/.*|decisions\/.*)\.?/.test(file),
    );
    expect(
      written.filter((file) => ![')', '#'].some((end) => begin.includes(`(${file.slice('docs/'.length)}${end}`))),
    ).toEqual([]);
  });

  /** Pages of this library that messages and docstrings name; pages of others have other folders. */
  const NAMED =
    /docs\/(?:(?:how-to|explanation|tutorials|contributing|decisions)\/[\w-]+|stuck-in-\w+|which-controller|migrating|reference\/(?:rules|controllers))\.md(?:#[\w-]+)?/g;

  test('every page that a message or a docstring names is there', () => {
    const named = sources.flatMap(({ path, file }) =>
      [...file.text.matchAll(NAMED)].map(([link]) => ({ where: `src/${path}`, link })),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(({ link }) => isBroken('README.md', link))).toEqual([]);
  });
});

/** Words of a command line up to a pipe, a redirection or a comment; words in quotes are one. */
const wordsOf = (line: string) => line.replace(/ +#.*|(?: *\d?[|>;&)] ).*|[;)`].*/g, '').match(/'[^']*'|\S+/g) ?? [];

const CALLS = ['README.md', ...filesIn('docs', '.md')].flatMap((page) =>
  [
    ...readFileSync(join(ROOT, page), 'utf8').matchAll(
      /(?:npx cdk8s-load-balancers(?:@VERSION)?|kubectl lb|load-balancers\.mjs|--volume "\$PWD:\/work" load-balancers) ([^\n]+)/g,
    ),
  ].map(([, line]) => ({ page, line })),
);

test('every command of the docs is one that the program takes, with its options', () => {
  const refused = CALLS.flatMap(({ page, line }) => {
    const program = allCommands().configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
    for (const command of [program, ...program.commands]) {
      command.exitOverride().configureOutput(program.configureOutput());
      command.action(() => undefined);
    }
    try {
      program.parse(
        wordsOf(line).map((word) => word.replace(/^'|'$/g, '')),
        { from: 'user' },
      );
      return [];
    } catch (error) {
      return [`${page}: ${line}: ${(error as Error).message}`];
    }
  });
  expect(CALLS.length).toBeGreaterThan(60);
  expect(refused).toEqual([]);
});

describe('the skill', () => {
  const TEXT = readFileSync(join(__dirname, '..', '..', SKILL), 'utf8');
  const PROGRAM = 'npx cdk8s-load-balancers ';
  const COMMANDS = TEXT.split('\n').filter((line) => line.startsWith(PROGRAM));

  function inRepository<T>(of: (repository: Repository) => T): T {
    const repository = new Repository({ 'a.yaml': service('echo') });
    const before = process.cwd();
    process.chdir(repository.path);
    try {
      return of(repository);
    } finally {
      process.chdir(before);
    }
  }

  const ran = (command: string) => run(...command.slice(PROGRAM.length).split(' '));

  test.each(COMMANDS.map((command) => [command]))('%s runs', (command) => {
    expect(inRepository(() => ran(command))).toMatchObject({ code: 0, error: '' });
  });

  test('the skill has a command of each kind that it names', () => {
    expect(COMMANDS.map((command) => command.split(' ')[2])).toEqual(
      expect.arrayContaining(['check', 'diff', 'explain', 'list']),
    );
  });

  test('members of JSON, exit codes and outcomes are as it says', () => {
    const [check, diff] = ['check', 'diff'].map(
      (name) => COMMANDS.find((one) => one.startsWith(`${PROGRAM}${name}`)) ?? '',
    );
    const [found, changed] = inRepository((repository) => {
      repository.write({
        'a.yaml': service('echo', { scheme: 'internet-facing' }).replace('port: 443', 'port: 70000'),
      });
      const wrong = ran(check);
      repository.write({ 'a.yaml': service('echo', { scheme: 'internet-facing' }) });
      return [wrong, ran(diff)];
    });
    expect([found.code, changed.code]).toEqual([1, 1]);
    const { findings, unknown, version } = JSON.parse(found.out);
    expect([version, unknown]).toEqual([1, expect.any(Array)]);
    expect(Object.keys(findings[0])).toEqual(
      expect.arrayContaining(['ruleId', 'level', 'what', 'remedy', 'object', 'place', 'pointer']),
    );
    const { changes, steps } = JSON.parse(changed.out);
    expect(steps).toEqual(expect.any(Array));
    expect(changes).toMatchObject([{ outcome: 'replaced', causes: expect.any(Array) }]);
    expect([...LOSSES].filter((outcome) => !TEXT.includes(`\`${outcome}\``))).toEqual([]);
    expect(run('explain', 'no-such-rule').code).toBe(2);
  });
});
