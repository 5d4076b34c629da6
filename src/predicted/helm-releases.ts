import { editFrom } from '../contract/edit';
import { isMap, type Json, list, mapIn, mapOf } from '../contract/json';
import { readKubernetesYaml, type YamlPath } from '../contract/kubernetes-yaml';
import { type Manifest, placeOfManifest } from '../rules/manifest-objects';
import { groupOf } from '../rules/objects';
import { keyOf, titleOf, titleWithPlace } from './predicted';

// Releases of Helm charts in the objects of Flux, k3s and Argo CD.

/** A release as a resource whose spec is the values that are written in its object. */
export interface HelmRelease {
  readonly chart: string;
  /** Address of its repository, or of the chart itself. */
  readonly address?: string;
  readonly resource: Json;
  /** Path of the values in the object; a text of YAML is one field. */
  readonly path: YamlPath;
  readonly isText: boolean;
  /** Fields with values that are not in the object, or not read. */
  readonly unread: readonly string[];
}

interface Written {
  /** A name; undefined if the object does not have it. */
  readonly chart: unknown;
  /** Source of a chart whose name is not in the object. */
  readonly source?: ChartSource;
  /** The object of its repository, or else its address. */
  readonly repository?: unknown;
  readonly name?: unknown;
  readonly namespace?: unknown;
  /** Fields of values, of which the first one that is set counts. */
  readonly values: readonly YamlPath[];
  readonly others: readonly YamlPath[];
}

interface ChartSource {
  readonly title: string;
  readonly reference?: Json;
  /** The name of the chart, without which it may be no chart at all. */
  readonly name?: string;
}

/** A chart of a repository; one of a folder may be another one of this name. */
const named = (chart: unknown) => (typeof chart === 'string' && !chart.includes('/') ? chart : undefined);

const ofFolder = (folder: unknown, isChart: boolean): ChartSource | undefined =>
  typeof folder === 'string'
    ? { title: `in folder ${folder}`, ...(!isChart && { name: folder.split('/').at(-1) }) }
    : undefined;

/** A chart by its name, or by the address of its archive. */
const archived = (chart: unknown) =>
  typeof chart === 'string' ? /([^/]+?)(-v?\d[\w.+-]*)?(\.tgz)?$/.exec(chart)?.[1] : undefined;

/** fluxcd/helm-controller v1.3.0, api/v2/helmrelease_types.go */
function ofFlux(object: Json): Written[] {
  const spec = mapIn(object, 'spec');
  const { releaseName, targetNamespace, chartRef } = spec;
  const { name, namespace } = object.metadata;
  const { chart, sourceRef } = mapIn(mapIn(spec, 'chart'), 'spec');
  const reference: Json | undefined = isMap(chartRef) ? { namespace, ...chartRef } : undefined;
  return [
    {
      chart: named(chart),
      source: reference
        ? { title: `that of ${reference.kind} ${titleOf({ metadata: reference })}`, reference }
        : named(chart) === undefined
          ? ofFolder(chart, true)
          : undefined,
      repository: isMap(sourceRef) ? { namespace, ...sourceRef } : undefined,
      name: releaseName ?? (targetNamespace ? `${targetNamespace}-${name}` : name),
      namespace: targetNamespace,
      values: [['spec', 'values']],
      others: [['spec', 'valuesFrom']],
    },
  ];
}

/** k3s-io/helm-controller v0.16.13, pkg/apis/helm.cattle.io/v1/types.go */
function ofK3s(object: Json): Written[] {
  const { chart, chartContent, repo, targetNamespace } = mapIn(object, 'spec');
  return [
    {
      chart: object.kind === 'HelmChart' ? archived(chart) : object.metadata.name,
      source:
        chart === undefined && typeof chartContent === 'string'
          ? { title: 'the archive in spec.chartContent' }
          : undefined,
      repository: repo ?? chart,
      namespace: targetNamespace,
      values: ['values', 'valuesContent'].map((field) => ['spec', field]),
      others: ['set', 'valuesSecrets'].map((field) => ['spec', field]),
    },
  ];
}

/** argoproj/argo-cd v3.1.0, pkg/apis/application/v1alpha1/types.go */
function ofArgo(object: Json): Written[] {
  const spec = mapIn(object, 'spec');
  const sources = list<unknown>(spec.sources).map((source, i) => [source, ['spec', 'sources', i]] as const);
  return [[spec.source, ['spec', 'source']] as const, ...sources].flatMap(([source, at]) =>
    isMap(source)
      ? [
          {
            chart: named(source.chart),
            source: source.chart === undefined ? ofFolder(source.path, isMap(source.helm)) : undefined,
            repository: source.repoURL,
            name: mapIn(source, 'helm').releaseName,
            namespace: mapIn(spec, 'destination').namespace,
            values: ['valuesObject', 'values'].map((field) => [...at, 'helm', field]),
            others: ['valueFiles', 'parameters', 'fileParameters'].map((field) => [...at, 'helm', field]),
          },
        ]
      : [],
  );
}

/** Applications of a template, whose number and names generators decide: argo-cd v3.1.0, pkg/apis/application/v1alpha1/applicationset_types.go */
function ofArgoSet(object: Json): Written[] {
  return ofArgo(mapIn(mapIn(object, 'spec'), 'template')).map(({ chart, source, ...written }) => {
    const of = typeof chart === 'string' ? { title: chart, name: chart } : source;
    const one = of && { ...of, title: `${of.title} in each Application of its template` };
    return { ...written, chart: undefined, source: one };
  });
}

const WRITTEN: Readonly<Record<string, (object: Json) => Written[]>> = {
  'helm.toolkit.fluxcd.io/HelmRelease': ofFlux,
  'helm.cattle.io/HelmChart': ofK3s,
  'helm.cattle.io/HelmChartConfig': ofK3s,
  'argoproj.io/Application': ofArgo,
  'argoproj.io/ApplicationSet': ofArgoSet,
};

const writtenIn = (object: Json): Written[] =>
  typeof mapIn(object, 'metadata').name === 'string'
    ? (WRITTEN[`${groupOf(object)}/${object.kind}`]?.(object) ?? [])
    : [];

/** The charts of releases that name an object with it, and the addresses of those that name their repository. */
const REFERENCED = new WeakMap<Json, string>();
const ADDRESSES = new WeakMap<Json, string>();

/** Looks up what releases name: an OCIRepository, a HelmChart or a HelmRepository: fluxcd/source-controller v1.7.0, api/v1 */
export function findReferencedCharts(manifests: readonly Manifest[]): void {
  const idOf = ({ kind, ...metadata }: Json) => `${kind} ${keyOf({ metadata })}`;
  const sources = new Map(
    manifests
      .filter(({ object }) => groupOf(object) === 'source.toolkit.fluxcd.io')
      .map(({ object }) => [idOf({ ...mapIn(object, 'metadata'), kind: object.kind }), object]),
  );
  for (const { object } of manifests) {
    for (const { source, repository } of writtenIn(object)) {
      const [named, direct] = [source?.reference, repository].map((one) => isMap(one) && sources.get(idOf(one)));
      const spec = mapIn(named || {}, 'spec');
      const chart = named && archived(spec[named.kind === 'OCIRepository' ? 'url' : 'chart']);
      const reference = { namespace: mapIn(named || {}, 'metadata').namespace, ...mapIn(spec, 'sourceRef') };
      const { url = spec.url } = mapIn(direct || sources.get(idOf(reference)) || {}, 'spec');
      if (chart) {
        REFERENCED.set(object, chart);
      }
      if (typeof url === 'string') {
        ADDRESSES.set(object, url);
      }
    }
  }
}

/** True if a chart is of one of some repositories, which are addresses without a scheme. */
export function isOfRepository({ address }: HelmRelease, repositories: readonly string[]): boolean {
  const plain = `${address?.replace(/^\w+:\/\//, '')}/`;
  return repositories.some((one) => plain.startsWith(`${one}/`));
}

/** The releases that an object asks for; none if it is of another kind, or has no name. */
export function releasesIn(object: Json): HelmRelease[] {
  const { name, namespace } = mapIn(object, 'metadata');
  return writtenIn(object).flatMap((one) => {
    const chart = one.chart ?? REFERENCED.get(object);
    if (typeof chart !== 'string') {
      return [];
    }
    const [path = one.values[0], ...more] = one.values.filter((field) => at(object, field) !== undefined);
    const given = at(object, path);
    const { values, faults } = typeof given === 'string' ? readKubernetesYaml(given) : { values: [], faults: [] };
    const text: unknown = values[0]?.value;
    const spec = typeof given === 'string' ? text : given;
    const release = typeof one.name === 'string' ? one.name : name;
    const { fullnameOverride, nameOverride = chart }: Json = mapOf(spec);
    return [
      {
        chart,
        address: typeof one.repository === 'string' ? one.repository : ADDRESSES.get(object),
        path,
        isText: typeof given === 'string',
        resource: {
          ...object,
          metadata: { name: release, namespace: one.namespace ?? namespace },
          spec: mapOf(spec),
          fullname: fullnameOverride || (release.includes(nameOverride) ? release : `${release}-${nameOverride}`),
        },
        unread: [...more, ...one.others, ...(faults.length > 0 ? [path] : [])]
          .filter((field) => at(object, field) !== undefined)
          .map((field) => field.join('.')),
      },
    ];
  });
}

/** A note on each release of a known chart with values that are not read. */
export function releaseNotes(manifest: Manifest, isKnown: (chart: string) => boolean): string[] {
  return releasesIn(manifest.object)
    .filter(({ chart, unread }) => unread.length > 0 && isKnown(chart))
    .map(
      ({ chart, unread }) =>
        `${titleWithPlace(manifest)}: ${unread.join(', ')} may change the Service of chart ${chart}, and is not read`,
    );
}

/** A note on the charts of releases that are not known here: only their rendered objects show their Services. */
export function unknownChartsNote(manifests: readonly Manifest[], isKnown: (chart: string) => boolean): string[] {
  const charts = new Set(manifests.flatMap(({ object }) => releasesIn(object)).map(({ chart }) => chart));
  const unknown = [...charts].filter((chart) => !isKnown(chart)).sort();
  const them = unknown.length === 1 ? `chart ${unknown[0]}` : `charts ${unknown.join(', ')}`;
  return unknown.length === 0
    ? []
    : [`the Services of ${them} are not known from values: check what helm template writes, or a dump of the cluster`];
}

/** A note on each release whose chart is not known by its name, unless it is one without a known Service. */
export function unnamedChartNotes(manifests: readonly Manifest[], isKnown: (chart: string) => boolean): string[] {
  return manifests.flatMap((manifest) =>
    writtenIn(manifest.object)
      .flatMap(({ source }) => source ?? [])
      .filter(({ reference, name }) =>
        reference ? !REFERENCED.has(manifest.object) : name === undefined || isKnown(name),
      )
      .map(
        ({ title }) =>
          `${titleWithPlace(manifest)}: its chart is ${title}, which is not read, so its Services are not known`,
      ),
  );
}

/**
 * Charts of k3s and their HelmChartConfigs with values that k3s merges, by the object whose Service is therefore not known; a chart
 * without values of its own has no note, since those of its HelmChartConfig are all.
 * k3s-io/helm-controller v0.16.13, pkg/controllers/chart/chart.go
 */
export function overriddenReleases(
  manifests: readonly Manifest[],
  isKnown: (chart: string) => boolean,
): ReadonlyMap<Manifest, string | undefined> {
  const configs = manifests.filter(({ object }) => isOfK3s(object, 'HelmChartConfig'));
  const charts = configs.length > 0 ? manifests.filter(({ object }) => isOfK3s(object, 'HelmChart')) : [];
  const pairs = charts.flatMap((chart) => {
    const config = configs.find(({ object }) => titleOf(object) === titleOf(chart.object));
    return config && releasesIn(chart.object).some((one) => isKnown(one.chart)) ? [{ chart, config }] : [];
  });
  return new Map(
    pairs.flatMap(({ chart, config }): [Manifest, string | undefined][] => {
      if (!hasValues(chart.object)) {
        return [[chart, undefined]];
      }
      const note = `${titleWithPlace(chart)}: k3s merges its values with those of the HelmChartConfig in ${placeOfManifest(config)}, so its Service is not known`;
      return [
        [chart, note],
        [config, undefined],
      ];
    }),
  );
}

/** Options of an Argo CD Application by which it replaces whole objects, or recreates them. */
export const REPLACING = {
  options: ['Replace=true', 'Force=true'],
  path: ['spec', 'syncPolicy', 'syncOptions'],
  edit: editFrom(
    {
      unknown:
        'Argo CD replaces whole objects with Replace=true: a finalizer or a class that the chart does not write goes, or the sync fails; with Force=true, it deletes the Service and its balancer and creates them anew',
      remedy: 'set the option by an annotation on the objects that need it, and not on the Service',
    },
    { repository: 'argoproj/argo-cd', version: 'v3.1.0', file: 'docs/user-guide/sync-options.md' },
  ),
};

const isOfK3s = (object: Json, kind: string) => object.kind === kind && groupOf(object) === 'helm.cattle.io';

const hasValues = (object: Json) =>
  ofK3s(object).some(({ values }) => values.some((path) => at(object, path) !== undefined));

const at = (object: Json, path: YamlPath): unknown =>
  path.reduce<unknown>((value, step) => (value as Json | undefined)?.[step], object) ?? undefined;
