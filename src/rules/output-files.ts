import { type ApiObject, App, Chart, Names, YamlOutputType } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { cachedIn, type Json } from '../contract/json';
import type { LoadBalancerFinding } from '../contract/options';
import { findingOf } from '../contract/rule';
import { SynthOutput } from '../contract/synth-run';
import { appIndexOf, currentJson } from './app-objects';
import { FILE_TWICE, NAME_TWICE } from './rules.facts';

export interface SynthTarget {
  readonly chart: IConstruct;
  readonly kind: string;
  readonly name: string;
  readonly metadata: { readonly namespace?: string };
  /** The object that this is a part of. */
  readonly whole?: () => Json;
}

export interface FailingConstruct {
  readonly host: IConstruct;
  fail(sentences: readonly string[]): void;
}

interface Written {
  readonly chart: IConstruct;
  readonly owner?: FailingConstruct;
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly object?: ApiObject;
}

interface Output {
  readonly root: IConstruct;
  readonly to: SynthOutput;
  readonly parts: readonly { readonly target: SynthTarget; readonly owner: FailingConstruct }[];
  ownerOf(object: IConstruct): FailingConstruct | undefined;
}

export interface FileCollision {
  readonly owner: FailingConstruct;
  readonly finding: LoadBalancerFinding;
}

/**
 * Objects that overwrite each other when written, of which one at least is of this library: two objects of
 * one name are one object in the cluster, and cdk8s names files in ways that do not distinguish all objects and charts.
 */
export function fileCollisionsIn(output: Output): FileCollision[] {
  const { root, to } = output;
  // what is taken chart by chart is in no file; as one text, the app is held to what its files would be
  const type = to !== SynthOutput.CHART && root instanceof App ? root.yamlOutputType : undefined;
  const written = writtenBy(output);
  const found = namesTwice(written, type === YamlOutputType.FILE_PER_APP);
  if (type === YamlOutputType.FILE_PER_RESOURCE) {
    found.push(...filesTwice(root as App, written, ({ kind, name }) => fileOf(kind, name)));
  }
  if (type === YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE) {
    const folderOf = chartNamer(root);
    // cdk8s names these by what the construct says, before patches
    const made = ({ object }: Written) => fileOf(object?.kind, object?.metadata.name);
    found.push(...filesTwice(root as App, written, (one) => `${folderOf(one.chart)}/${made(one)}`));
  }
  if (type === YamlOutputType.FILE_PER_CHART) {
    found.push(...chartsTwice(root as App, written));
  }
  return found;
}

/** Objects of this library, and third-party objects of one of its kinds: no other can get in its way. */
function writtenBy({ root, parts, ownerOf }: Output): Written[] {
  const objects = appIndexOf(root).all.map(({ construct: object }) => ({ object, owner: ownerOf(object) }));
  const kinds = new Set(objects.filter(({ owner }) => owner).map(({ object }) => object.kind));
  return [
    ...objects
      .filter(({ object: { kind } }) => kinds.has(kind))
      .map(({ object, owner }) => ({ ...nameOf(object), chart: object.chart, owner, object })),
    ...parts.map(({ target: { chart, kind, name, metadata }, owner }) => ({
      chart,
      owner,
      group: 'core',
      kind,
      name,
      namespace: metadata.namespace,
    })),
  ];
}

function pathOf({ owner, object }: Written): string | undefined {
  return (owner?.host ?? object)?.node.path;
}

function nameOf(object: ApiObject): Pick<Written, 'group' | 'kind' | 'name' | 'namespace'> {
  const { apiGroup: group, kind, name, metadata } = object;
  const { patches } = object as unknown as { readonly patches?: readonly unknown[] };
  if (!patches?.length) {
    return { group, kind, name, namespace: metadata.namespace };
  }
  const finished = currentJson(object);
  return { group, kind: finished.kind, name: finished.metadata?.name, namespace: finished.metadata?.namespace };
}

function namesTwice(all: readonly Written[], isOneFile: boolean): FileCollision[] {
  const charts = [...new Set(all.map(({ chart }) => chart))];
  const numbers = new Map(charts.map((chart, number) => [chart, number]));
  return twins(
    all,
    ({ chart, group, kind, namespace, name }) =>
      `${isOneFile ? '' : numbers.get(chart)}\n${group}\n${kind}\n${namespace ?? ''}/${name}`,
    ({ kind, namespace, name, chart }, other) =>
      findingOf(
        NAME_TWICE,
        {
          what: `${kind} ${namespace ?? ''}/${name} is made by ${pathOf(other)} as well`,
          remedy: `give one of the two another name${
            other.chart === chart ? '' : ', or write a file for each chart (YamlOutputType.FILE_PER_CHART)'
          }`,
        },
        'kubernetes',
      ),
  );
}

function filesTwice(app: App, all: readonly Written[], fileOfOne: (one: Written) => string): FileCollision[] {
  const isNamesake = (one: Written, other: Written) =>
    one.chart === other.chart && one.group === other.group && one.namespace === other.namespace;
  return twins(
    all.filter(({ object }) => object),
    fileOfOne,
    (one, other) =>
      isNamesake(one, other)
        ? undefined
        : fileTwice(
            `${one.kind} ${one.namespace ?? ''}/${one.name} is written to ${fileOfOne(one)}${app.outputFileExtension}, and so is that of ${pathOf(other)}: one overwrites the other`,
            'give one of the two another name, or use YamlOutputType.FILE_PER_CHART',
          ),
  );
}

function chartsTwice(app: App, all: readonly Written[]): FileCollision[] {
  const charts = app.node.findAll().filter((construct) => Chart.isChart(construct));
  if (charts.length < 2) {
    return [];
  }
  const nameOfChart = chartNamer(app);
  if (new Set(charts.map(nameOfChart)).size === charts.length) {
    return [];
  }
  return charts.flatMap((chart) => {
    const other = charts.find((each) => each !== chart && nameOfChart(each) === nameOfChart(chart));
    const mine = all.find((one) => one.chart === chart && one.owner);
    if (!other || !mine?.owner) {
      return [];
    }
    const file = nameOfChart(chart) + app.outputFileExtension;
    const what = `chart ${chart.node.path} is written to ${file}, and so is chart ${other.node.path}: one overwrites the other`;
    return [{ owner: mine.owner, finding: fileTwice(what, 'give one of the two another ID') }];
  });
}

function fileTwice(what: string, remedy: string): LoadBalancerFinding {
  return findingOf(FILE_TWICE, { what, remedy }, 'cdk8s');
}

/** The second of each two that have the same key, or the first where the second is of others. */
function twins(
  all: readonly Written[],
  keyOf: (one: Written) => string,
  findingAt: (one: Written, other: Written) => LoadBalancerFinding | undefined,
): FileCollision[] {
  const firsts = new Map<string, Written>();
  const found: FileCollision[] = [];
  for (const one of all) {
    const key = keyOf(one);
    const first = firsts.get(key);
    const [mine, other] = one.owner ? [one, first] : [first, one];
    const finding = first && mine?.owner && other ? findingAt(mine, other) : undefined;
    if (mine?.owner && finding) {
      found.push({ owner: mine.owner, finding });
    }
    if (!first?.owner) {
      firsts.set(key, one);
    }
  }
  return found;
}

function fileOf(kind: unknown, name: unknown): string {
  return `${kind}.${name}`.replace(/[^0-9a-zA-Z-_.]/g, '');
}

/** As cdk8s names the file or the folder of a chart; where charts depend on others, each has a number in front. */
function chartNamer(root: IConstruct): (chart: IConstruct) => string {
  const names = new Map<IConstruct, string>();
  const isNumbered = hasDependentCharts(root);
  return (chart) => cachedIn(names, chart, () => (isNumbered ? chart.node.path : Names.toDnsLabel(chart)));
}

function hasDependentCharts(root: IConstruct): boolean {
  return root.node.findAll().some(({ node }) => {
    const inCharts = node.scopes.filter((scope) => Chart.isChart(scope));
    const [chart] = inCharts.slice(-1);
    return inCharts.length > 1 || node.dependencies.some((dependency) => Chart.of(dependency) !== chart);
  });
}
