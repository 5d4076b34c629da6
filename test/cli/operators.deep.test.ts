import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { servicesOfOperator } from '../../src/predicted/operator-services';
import { OPERATORS } from '../../src/predicted/operators/operators.facts';
import { run } from '../support/command';
import { folderWith } from '../support/files';
import { table } from '../support/yaml-cases';

// Services that operators make of templates in their resources, by one law for all operators.

const folder = folderWith();

let files = 0;

type Tree = { [key: string]: unknown };

/** A resource with a value at a path, in which `*` is a list of one item. */
function withAt(steps: readonly string[], value: unknown): unknown {
  const [step, ...inner] = steps;
  if (step === undefined) return value;
  return step === '*' ? [{ name: 'main', ...(withAt(inner, value) as Tree) }] : { [step]: withAt(inner, value) };
}

function checked(resource: Tree, context = 'controllers: [aws-load-balancer-controller]\n') {
  const file = join(folder, `${files}.yaml`);
  const config = join(folder, `${files++}-context.yaml`);
  writeFileSync(file, stringify(resource));
  writeFileSync(config, context);
  const { out, error, code } = run('check', '--config', config, '--format', 'json', file);
  expect(error).toBe('');
  const { findings } = JSON.parse(out) as { findings: { ruleId: string; place: { line: number }; remedy: string }[] };
  return { findings, rules: findings.map(({ ruleId }) => ruleId), code };
}

const rows = OPERATORS.filter(({ predictedBy }) => !predictedBy).flatMap((operator) =>
  operator.resources.flatMap(({ group, kind, versions = [], services }) =>
    (kind ? services : []).map((service) => {
      const { at } = service;
      const askedBy = ({ type, value, unless = {} }: typeof service) => String([type, value, Object.keys(unless)]);
      // what the resource asks for by default, whatever this template does
      const others = services.filter((one) =>
        one.at === at ? one.isDefault && String(one.type) !== String(service.type) : one.isAlways && !one.onlyIf,
      ).length;
      // an unknown number of pods is one name
      const [{ default: pods }] = service.pods ?? [{ default: 1 }];
      const count = (pods || 1) * services.filter((one) => one.at === at && askedBy(one) === askedBy(service)).length;
      const isAlone = services.filter(({ name }) => name === service.name).length === 1;
      return [
        `${operator.id}: ${kind}, ${at}`,
        { operator, apiVersion: `${group}/${versions.at(-1)}`, kind, service, count: count + others, others, isAlone },
      ] as const;
    }),
  ),
);

const SCHEME = 'service.beta.kubernetes.io/aws-load-balancer-scheme';

const OF_AWS = {
  'service.beta.kubernetes.io/aws-load-balancer-type': 'external',
  'service.beta.kubernetes.io/aws-load-balancer-nlb-target-type': 'ip',
};

describe.each(rows)('%s', (_, { operator, apiVersion, kind, service, count, others, isAlone }) => {
  const { shape, type: [type] = [shape ? 'spec.type' : 'type'], onlyIf = [], onlyWith = {} } = service;
  const [value] = [service.value ?? 'LoadBalancer'].flat();
  const another = typeof value === 'string' ? 'ClusterIP' : false;
  const ofShape = { annotations: ['metadata.annotations'], loadBalancerClass: ['spec.loadBalancerClass'] };
  const fields: Readonly<Record<string, readonly string[]>> = { ...(shape && ofShape), ...service.fields };

  function resourceWith(asked: unknown, more: Tree = {}, not: Readonly<Tree> = {}): Tree {
    const set = (template: Tree, path: string, to: unknown): Tree => {
      const [step, ...inner] = path.split('.');
      return {
        ...template,
        [step]: inner.length === 0 ? to : set((template[step] ?? {}) as Tree, inner.join('.'), to),
      };
    };
    let template = set({}, type, asked);
    let resource = { apiVersion, kind, metadata: { name: 'main', namespace: 'data' } } as Tree;
    const later: [string, unknown][] = [];
    const wanted = Object.entries(more).map(([field, to]) => [fields[field]?.[0], to] as const);
    const used = (service.usedBy ?? []).slice(0, 1).map((path) => [path, 'main'] as const);
    const needed = [...used, ...onlyIf.map(([path]) => [path, true] as const), ...Object.entries(onlyWith)];
    const { onlyIf: condition } = operator.recreates ?? {};
    for (const [path, to] of [
      ...wanted,
      ...needed,
      ...Object.entries(not),
      [condition?.field, condition?.value] as const,
    ]) {
      if (path?.startsWith('spec.') && !(shape && ofShape.loadBalancerClass.includes(path))) {
        later.push([path, to]);
      } else if (path !== undefined) {
        template = set(template, path, to);
      }
    }
    resource = { ...resource, ...(withAt(service.at.split('.'), template) as Tree) };
    return later.reduce((done, [path, to]) => set(done, path, to), resource);
  }

  test('list shows the load balancer that it makes, and none of another type', () => {
    const file = join(folder, `${files++}.yaml`);
    writeFileSync(file, stringify(resourceWith(value)));
    const { out, error } = run('list', file);
    expect(out).toMatch(new RegExp(` ${count} predicted load balancers?`));
    expect(error).not.toMatch(/ is (LoadBalancer|true), .* is not listed/);
    writeFileSync(file, stringify(resourceWith(another)));
    const [, left = 0] = / (\d+) predicted load balancers?/.exec(run('list', file).out) ?? [];
    expect(Number(left)).toBe(others);
  });

  test('list shows no Service of its name if a field says that there is none', () => {
    const file = join(folder, `${files++}.yaml`);
    const [kept, all] = [another, value].map((asked) => {
      writeFileSync(file, stringify(resourceWith(asked)));
      return [...(run('list', file).out.match(/^data\/\S+/gm) ?? [])] as string[];
    });
    const [name] = all.filter((one) => !kept.includes(one));
    for (const [path, not] of isAlone ? Object.entries(service.unless ?? {}) : []) {
      writeFileSync(file, stringify(resourceWith(value, {}, { [path]: not })));
      expect(run('list', file).out).not.toContain(`${name} `);
    }
  });

  const hasAnnotations = fields.annotations !== undefined;

  test('a misspelt annotation of the template is found, and named', () => {
    const { findings, rules } = checked(
      resourceWith(value, {
        annotations: { [`${SCHEME}e`]: 'internal', ...OF_AWS },
        loadBalancerClass: 'service.k8s.aws/nlb',
      }),
    );
    const isTold = findings.some(
      ({ ruleId, remedy }) => ruleId === 'annotation-unknown' && remedy === `write ${SCHEME}`,
    );
    expect([rules, isTold]).toEqual([rules, hasAnnotations]);
  });

  test('annotations that are not a map are an error', () => {
    const { rules, code } = checked(resourceWith(value, { annotations: ['a'] }));
    expect([hasAnnotations, rules.includes('field-wrong-type')]).toEqual([hasAnnotations, hasAnnotations]);
    expect(hasAnnotations ? code : 1).toBe(1);
  });

  test('an operator that drops finalizers is reported, unless a keeper puts them back', () => {
    const drops = operator.drops.includes('finalizers') || operator.fixedIn !== undefined;
    const resource = resourceWith(value, {
      annotations: OF_AWS,
      loadBalancerClass: 'service.k8s.aws/nlb',
    });
    const isOwned = hasAnnotations || fields.loadBalancerClass !== undefined;
    const rule = 'operator-removes-finalizer';
    expect(checked(resource).rules.includes(rule)).toBe(drops && isOwned);
    expect(checked(resource, 'controllers: [aws-load-balancer-controller]\nkeeper: true\n').rules).not.toContain(rule);
  });

  test('a dump of the resource and its Services is not changed by the resource', () => {
    const annotations = hasAnnotations ? { annotations: OF_AWS } : {};
    const resource = resourceWith(value, annotations);
    const id = '11111111-2222-3333-4444-55555555555';
    const made = servicesOfOperator({ file: 'a.yaml', line: 1, object: resource }).map(
      ({ object: { metadata, spec } }, i) => ({
        apiVersion: 'v1',
        kind: 'Service',
        metadata: {
          ...metadata,
          name: `${metadata.name ?? metadata.generateName}`.replace(/-$/, '-0'),
          uid: `${id}${i}`,
          finalizers: ['service.k8s.aws/resources'],
          ownerReferences: [{ apiVersion, kind, name: 'main', uid: `${id}9`, controller: true }],
        },
        spec: { loadBalancerClass: 'service.k8s.aws/nlb', selector: { a: 'b' }, clusterIP: '10.0.0.9', ...spec },
        status: { loadBalancer: { ingress: [{ hostname: 'a.elb.eu-west-1.amazonaws.com' }] } },
      }),
    );
    const live = { ...resource, metadata: { ...(resource.metadata as Tree), uid: `${id}9` } };
    const [dump, file] = [join(folder, `${files++}.yaml`), join(folder, `${files++}.yaml`)];
    writeFileSync(dump, stringify({ apiVersion: 'v1', kind: 'List', items: [live, ...made] }));
    writeFileSync(file, stringify(resource));
    const { out, code } = run(
      'diff',
      '--prune',
      '--controllers',
      'aws-load-balancer-controller',
      '--format',
      'json',
      dump,
      file,
    );
    const { changes } = JSON.parse(out) as { changes: { outcome: string; causes: unknown[] }[] };
    expect([code, changes.flatMap(({ outcome, causes }) => (outcome === 'kept' ? causes : [outcome, causes]))]).toEqual(
      [0, []],
    );
  });

  test('an operator that creates its Services again is reported', () => {
    const rule = 'operator-recreates-service';
    expect(checked(resourceWith(value)).rules.includes(rule)).toBe(operator.recreates !== undefined);
  });
});

test('each operator is described once, and each kind by one operator', () => {
  const ids = OPERATORS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const kinds = OPERATORS.flatMap(({ resources }) =>
    resources.map(({ group, kind, chart }) => chart ?? `${group}/${kind}`),
  );
  expect(new Set(kinds).size).toBe(kinds.length);
});

test('a field that no descriptor has and that asks for a load balancer is in a note', () => {
  const file = join(folder, `${files++}.yaml`);
  const spec = { services: [{ name: 'pd', type: 'LoadBalancer' }], tidb: { service: { type: 'LoadBalancer' } } };
  writeFileSync(
    file,
    stringify({ apiVersion: 'pingcap.com/v1alpha1', kind: 'TidbCluster', metadata: { name: 'main' }, spec }),
  );
  const out = run('check', file).out.replace(/\s+/g, ' ');
  expect(out).toContain('spec.services.0.type is LoadBalancer, so its controller may make');
  expect(out).not.toMatch(/spec\.tidb\.service\.type is LoadBalancer/);
});

test('a resource whose name is a map has no Service, and a note', () => {
  const file = join(folder, `${files++}.yaml`);
  const spec = { tidb: { service: { type: 'LoadBalancer' } } };
  const metadata = { name: { a: 1 } };
  writeFileSync(file, stringify({ apiVersion: 'pingcap.com/v1alpha1', kind: 'TidbCluster', metadata, spec }));
  const { out, error } = run('list', file);
  expect(out).toContain('0 load balanced Services, 0 errors');
  expect(error).toContain('spec.tidb.service.type is LoadBalancer');
});

/** The causes of a change from one type to another, or to nothing. */
function causesOf(of: string, type?: string) {
  const [apiVersion, kind] = of.split(' ');
  const resourceOf = (asked: string) => {
    const expose = { enabled: true, type: asked, loadBalancerClass: 'service.k8s.aws/nlb' };
    const spec = {
      haproxy: { enabled: true, exposePrimary: expose },
      replsets: [{ name: 'rs0', expose }],
      service: expose,
      override: { service: { spec: { loadBalancerClass: expose.loadBalancerClass } } },
    };
    return stringify({ apiVersion, kind, metadata: { name: 'main', namespace: 'data' }, spec });
  };
  const [old, now] = [join(folder, `${files++}.yaml`), join(folder, `${files++}.yaml`)];
  writeFileSync(old, resourceOf('LoadBalancer'));
  writeFileSync(now, type === undefined ? '' : resourceOf(type));
  const { out } = run('diff', '--prune', '--controllers', 'aws-load-balancer-controller', '--format', 'json', old, now);
  const { changes } = JSON.parse(out) as {
    changes: { causes: { outcome: string; why: string; condition?: string; remedy: string }[] }[];
  };
  return changes.flatMap(({ causes }) => causes);
}

const RABBITMQ = 'rabbitmq.com/v1beta1 RabbitmqCluster';
test.each<[string, string, string | undefined, RegExp, string | undefined]>(
  table('cli/operators.yaml', 'diff of a resource that is'),
)('diff of a resource that is %s', (_, of, type, why, condition) => {
  expect(causesOf(of, type)).toEqual([
    expect.objectContaining({
      outcome: 'orphaned',
      why: expect.stringMatching(why),
      remedy: expect.stringContaining('keep-load-balancers.md'),
    }),
  ]);
  expect(causesOf(of, type)[0].condition).toBe(condition);
});

/** Releases of charts whose Service is load balanced by default: with a type, or without values. */
const TYPED: [string, (service: string) => string, string][] = [
  [
    'values',
    (service) => fluxOf('ingress-nginx', `  values: { controller: { service: { ${service} } } }\n`),
    'spec.values.controller.service.type',
  ],
  [
    'a text',
    (service) => K3S('HelmChart', 'edge', `  chart: traefik\n  valuesContent: 'service: { spec: { ${service} } }'\n`),
    'spec.valuesContent.service.spec.type',
  ],
];

test.each(TYPED)('%s of a release that first set a type give its Service another one', (_, releaseOf, field) => {
  const [unset, ...set] = ['', 'type: LoadBalancer', 'type: ClusterIP'].map((service) => {
    const file = join(folder, `${files++}.yaml`);
    writeFileSync(file, releaseOf(service));
    return file;
  });
  const causes = (now: string) => {
    const { out } = run('diff', '--controllers', 'cloud-provider-aws', '--format', 'json', unset, now);
    const { changes } = JSON.parse(out) as { changes: { causes: { field: string; from: string; to: string }[] }[] };
    return changes.flatMap((change) => change.causes).map(({ field: of, from, to }) => [of, from, to]);
  };
  expect(set.map(causes)).toEqual([[], [[field, 'LoadBalancer', 'ClusterIP']]]);
});

test.each([
  ['Replace=true', 'unknown'],
  ['CreateNamespace=true', 'kept'],
])('an Application with %s from now on leaves its balancer %s', (option, outcome) => {
  const sync = `  syncPolicy: { syncOptions: [ ${option} ] }\n`;
  const [old, now] = ['', sync].map((more) => {
    const file = join(folder, `${files++}.yaml`);
    writeFileSync(file, `${ARGO('      releaseName: edge\n')}${more}`);
    return file;
  });
  const { out } = run('diff', '--controllers', 'cloud-provider-aws', '--format', 'json', old, now);
  expect((JSON.parse(out) as { changes: { outcome: string }[] }).changes.map((one) => one.outcome)).toEqual([outcome]);
});

const MAKERS: Readonly<Record<string, (service: object, fields: Tree) => object>> = {
  'elasticsearch.k8s.elastic.co/v1 Elasticsearch': (service) => ({ http: { service } }),
  'operator.victoriametrics.com/v1beta1 VMSingle': (service) => ({ serviceSpec: { useAsDefault: true, ...service } }),
  'postgresql.cnpg.io/v1 Pooler': (serviceTemplate) => ({ serviceTemplate }),
  'postgresql.cnpg.io/v1 Cluster': (serviceTemplate, { updateStrategy = 'replace' }) => ({
    managed: { services: { additional: [{ updateStrategy, serviceTemplate }] } },
  }),
};
const [ECK, METRICS, POOLER, CNPG] = Object.keys(MAKERS);
test.each<[string, string, before: Tree, after: Tree, outcome: string, ...recreatedFor: string[]]>(
  table('cli/operators.yaml', 'diff of of', { ECK, METRICS, CNPG, POOLER }),
)('diff of %s of %s', (_, of, before, after, outcome, ...recreatedFor) => {
  const [apiVersion, kind] = of.split(' ');
  const [old, now] = [before, after].map((fields) => {
    const { labels, updateStrategy: __, ...more } = fields;
    const spec = MAKERS[of]({ metadata: { name: 'a', labels }, spec: { type: 'LoadBalancer', ...more } }, fields);
    const file = join(folder, `${files++}.yaml`);
    writeFileSync(file, stringify({ apiVersion, kind, metadata: { name: 'main', namespace: 'data' }, spec }));
    return file;
  });
  const installed = 'aws-load-balancer-controller,cloud-provider-aws';
  const [change] = JSON.parse(run('diff', '--controllers', installed, '--format', 'json', old, now).out).changes;
  const { name, source } = OPERATORS.find(({ resources }) => resources.some((one) => one.kind === kind)) ?? {};
  const recreated = (change.causes as { field: string; why: string; source?: { file: string } }[])
    .filter(({ why }) => why.includes(`the ${name} deletes the Service and creates it again if`))
    .map((cause) => [
      cause.source?.file,
      cause.field.match(/([\w.]+) of its Service$/)?.[1].replace(/^(spec|metadata)\./, ''),
    ]);
  expect([change.outcome, recreated]).toEqual([outcome, recreatedFor.map((field) => [source?.file, field])]);
});

test('an operator that patches its Services loses no finalizer', () => {
  expect(causesOf(RABBITMQ).map(({ outcome }) => outcome)).toEqual(['deleted']);
});

test('a Service that is switched off by another field than its type is told to go', () => {
  const enabled = (isOn: boolean) => {
    const file = join(folder, `${files++}.yaml`);
    const spec = { haproxy: { enabled: isOn, exposePrimary: { type: 'LoadBalancer' } } };
    writeFileSync(
      file,
      stringify({ apiVersion: 'pxc.percona.com/v1', kind: 'PerconaXtraDBCluster', metadata: { name: 'main' }, spec }),
    );
    return file;
  };
  const { out } = run('diff', '--verbose', enabled(true), enabled(false));
  expect(out.replaceAll(/\s+/g, ' ')).toContain('no longer creates this Service');
  expect(out).not.toContain('another type');
});

test('a port that the template and the operator both write is there once', () => {
  const ports = [{ name: 'mqtt', port: 1883 }];
  const spec = { listenersServiceTemplate: { spec: { type: 'LoadBalancer', ports } } };
  const object = { apiVersion: 'apps.emqx.io/v2beta1', kind: 'EMQX', metadata: { name: 'main' }, spec };
  const [service] = servicesOfOperator({ file: 'a.yaml', line: 1, object });
  const numbers = (service.object.spec.ports as { port: number }[]).map(({ port }) => port);
  expect(numbers).toEqual([1883, 8883, 8083, 8084]);
});

const ALB_TYPO = 'service.beta.kubernetes.io/aws-load-balancer-shceme: internal';

/** The values of a chart with an annotation that does not exist, at some indent. */
const valuesOf = (indent: string, ...above: readonly string[]) =>
  [
    ...above.map((key, i) => `${indent}${'  '.repeat(i)}${key}:`),
    `${indent}${'  '.repeat(above.length)}service.beta.kubernetes.io/aws-load-balancer-type: external`,
    `${indent}${'  '.repeat(above.length)}service.beta.kubernetes.io/aws-load-balancer-nlb-target-type: ip`,
    `${indent}${'  '.repeat(above.length)}${ALB_TYPO}`,
  ].join('\n');

const FLUX =
  'apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: edge, namespace: flux }\nspec:\n';
const fluxOf = (chart: string, more: string) => `${FLUX}  chart: { spec: { chart: ${chart} } }\n${more}`;
const K3S = (kind: string, name: string, spec: string) =>
  `apiVersion: helm.cattle.io/v1\nkind: ${kind}\nmetadata: { name: ${name}, namespace: kube-system }\nspec:\n${spec}`;
const ARGO = (helm: string) =>
  `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: edge, namespace: argocd }\nspec:\n  destination: { namespace: web }\n  source:\n    chart: ingress-nginx\n    helm:\n${helm}`;

const REFERENCE = `${FLUX}  chartRef: { kind: OCIRepository, name: edge }\n`;
const ociOf = (url: string) =>
  `---\napiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: { name: edge, namespace: flux }\nspec: { url: ${url} }\n`;

test.each<[string, string, service: string | undefined, ...lines: number[]]>([
  ['an artifact', REFERENCE + ociOf('oci://ghcr.io/nginx/ingress-nginx'), 'flux/edge-ingress-nginx-controller'],
  ['no values', fluxOf('ingress-nginx', ''), 'flux/edge-ingress-nginx-controller'],
  [
    'values of Flux',
    fluxOf(
      'ingress-nginx',
      `  targetNamespace: web\n  values:\n${valuesOf('    ', 'controller', 'service', 'annotations')}\n`,
    ),
    'web/web-edge-ingress-nginx-controller',
    13,
  ],
  ['another type', fluxOf('ingress-nginx', '  values: { controller: { service: { type: ClusterIP } } }\n'), undefined],
  [
    'no external Service',
    fluxOf('ingress-nginx', '  values: { controller: { service: { external: { enabled: false } } } }\n'),
    undefined,
  ],
  ['a full name', fluxOf('traefik', '  values: { fullnameOverride: front }\n'), 'flux/front'],
  ['another chart', fluxOf('podinfo', ''), undefined],
  [
    'a text of k3s',
    K3S('HelmChartConfig', 'traefik', `  valuesContent: |-\n${valuesOf('    ', 'service', 'annotations')}\n`),
    'kube-system/traefik',
    5,
  ],
  [
    'an archive of k3s',
    K3S('HelmChart', 'web', '  chart: https://example.com/static/traefik-crd/traefik-39.0.2+up39.0.2.tgz\n'),
    'kube-system/web-traefik',
  ],
  [
    'a text of Argo CD',
    ARGO(`      values: |\n${valuesOf('        ', 'controller', 'service', 'annotations')}\n`),
    'web/edge-ingress-nginx-controller',
    9,
  ],
  [
    'an object of Argo CD',
    ARGO(`      valuesObject:\n${valuesOf('        ', 'controller', 'service', 'annotations')}\n`),
    'web/edge-ingress-nginx-controller',
    15,
  ],
])('a release with %s has the Service of its chart', (_, yaml, service, ...lines) => {
  const file = join(folder, `${files++}.yaml`);
  writeFileSync(file, yaml);
  const { out, error } = run('list', file);
  expect(error.replace(/^the Services of chart podinfo are not known from values.*\n$/, '')).toBe('');
  expect(out.split('\n').some((one) => service !== undefined && one.startsWith(`${service} `))).toBe(
    service !== undefined,
  );
  const { findings } = JSON.parse(
    run('check', '--controllers', 'aws-load-balancer-controller', '--format', 'json', file).out,
  );
  const unknown = (findings as { ruleId: string; place: { line: number } }[]).filter(
    ({ ruleId }) => ruleId === 'annotation-unknown',
  );
  expect(unknown.map(({ place }) => place.line)).toEqual(lines);
});

const FOLDER = '      releaseName: edge\n';

test.each<[string, string, chart: string | undefined]>([
  ['a folder of Flux', fluxOf('./charts/ingress-nginx', ''), 'in folder ./charts/ingress-nginx'],
  ['an object that is not there', REFERENCE, 'that of OCIRepository flux/edge'],
  ['an artifact of another chart', REFERENCE + ociOf('oci://ghcr.io/stefanprodan/charts/podinfo'), undefined],
  ['a folder of Argo CD', ARGO(FOLDER).replace('chart: ingress-nginx', 'path: charts/edge'), 'in folder charts/edge'],
  [
    'a folder of Argo CD that may have no chart',
    ARGO('').replace('chart: ingress-nginx', 'path: charts/traefik'),
    'in folder charts/traefik',
  ],
  [
    'a template of Applications',
    ARGO('')
      .replace('kind: Application', 'kind: ApplicationSet')
      .replace('spec:', 'spec: { template: { spec:')
      .replace(/destination.*/s, '{ source: { chart: ingress-nginx, helm: { values: "a: b" } } } } }\n'),
    'ingress-nginx in each Application of its template',
  ],
  ['a folder of Argo CD without a chart', ARGO('').replace('chart: ingress-nginx', 'path: apps/shop'), undefined],
  ['an archive of k3s', K3S('HelmChart', 'web', '  chartContent: H4sI\n'), 'the archive in spec.chartContent'],
])('the chart of a release in %s is not known', (_, yaml, chart) => {
  const file = join(folder, `${files++}.yaml`);
  writeFileSync(file, yaml);
  const { out, error } = run('list', file);
  expect(out).toContain('0 load balanced Services');
  expect(error.replaceAll(/\s+/g, ' ').match(/: its chart is (.*), which is not read/)?.[1]).toBe(chart);
});

test.each([
  ['valuesFrom', fluxOf('ingress-nginx', '  valuesFrom: [ { kind: ConfigMap, name: values } ]\n'), 'spec.valuesFrom'],
  [
    'valuesContent of a template',
    K3S('HelmChartConfig', 'traefik', "  valuesContent: '{{ x }}: ['\n"),
    'spec.valuesContent',
  ],
  [
    'parameters',
    ARGO('      parameters: [ { name: controller.service.type, value: ClusterIP } ]\n'),
    'spec.source.helm.parameters',
  ],
])('%s of a release is said not to be read', (_, yaml, field) => {
  const file = join(folder, `${files++}.yaml`);
  writeFileSync(file, yaml);
  expect(run('check', file).out.replaceAll(/\s+/g, ' ')).toContain(`${field} may change the Service of chart`);
});

test.each([
  ['with values of its own', '  set: { a: b }\n', '  valuesContent: |-\n    service: { type: ClusterIP }\n', false],
  ['without values', '', '', true],
])('a chart of k3s %s and a HelmChartConfig of its name are not two Services', (_, set, values, isKnown) => {
  const file = join(folder, `${files++}.yaml`);
  const config = K3S(
    'HelmChartConfig',
    'traefik',
    `  valuesContent: |-\n${valuesOf('    ', 'service', 'annotations')}\n`,
  );
  writeFileSync(file, `${K3S('HelmChart', 'traefik', `  chart: traefik\n${set}${values}`)}---\n${config}`);
  const { out, error } = run('list', file);
  expect(out.match(/^kube-system\/traefik /gm) ?? []).toHaveLength(isKnown ? 1 : 0);
  expect(error.includes('k3s merges its values with those of the HelmChartConfig in')).toBe(!isKnown);
});
