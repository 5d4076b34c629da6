import { dirname, join, relative, resolve } from 'node:path';
import { compareVersions } from '../../contract/compare-versions';
import { isMap, type Json, printable } from '../../contract/json';
import { KubernetesVersion } from '../../contract/kubernetes-version';
import { readKubernetesYaml, type YamlPath } from '../../contract/kubernetes-yaml';
import { NodePool } from '../../contract/node-pool';
import { AWS_CLOUD_CONTROLLER } from '../../controllers/aws-cloud-provider/annotations';
import { otherNamed } from '../../controllers/other-controller';
import { CCM } from '../../installations/aws-cloud-controller-manager/installation.facts';
import { STRIMZI_RELEASES } from '../../kafka/strimzi/strimzi.facts';
import { StrimziVersion } from '../../kafka/strimzi/strimzi-version';
import { KeptServices } from '../../policies/policy-options';
import { knownKinds } from '../../rules/known-kinds';
import type { KnownContext, UnreadableDocument } from '../check-report';
import { DISK, type Files } from '../files';
import {
  type CheckContext,
  type HelmSource,
  type InstalledController,
  NO_CONTEXT,
  type WrittenCluster,
  type WrittenSource,
} from './check-context';
import {
  areSame,
  controllerNames,
  controllerOf,
  inWords,
  joined,
  kindNamed,
  optionsOf,
  unnamedController,
} from './context-controllers';
import { CLUSTER_FIELDS, CONTEXT_FIELDS, HELM_FIELDS, NODE_POOL_FIELDS, SOURCE_FIELDS } from './context-fields.facts';
import { brief, called, kindOf, Mistakes, writeOne } from './context-mistakes';
import { acceptedIn, budgetIn, taintOf } from './context-sections';

export const CONTEXT_FILE = 'load-balancers.yaml';

/** A context file that was read; a file with mistakes is never half read. */
export interface ContextRead {
  /** What is known of the cluster, if the file is about one; of a file with several clusters, what is accepted in all of them. */
  readonly context?: CheckContext;
  readonly clusters?: readonly WrittenCluster[];
  readonly exclude?: readonly string[];
  readonly mistakes: readonly UnreadableDocument[];
}

const LARGEST = 1_000_000;

/**
 * The context file of a folder: in it, or in the nearest folder above. One of that name that holds objects of Kubernetes is
 * passed over.
 *
 * @returns its path from the working folder
 */
export function contextFileAbove(folder: string, files: Files = DISK): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const file = join(at, CONTEXT_FILE);
    if (files.kindOf(file) === 'file' && !holdsManifests(file, files)) {
      return relative('', file);
    }
    if (dirname(at) === at) {
      return undefined;
    }
  }
}

function holdsManifests(file: string, files: Files): boolean {
  try {
    const { values } = readKubernetesYaml(files.read(file));
    return values.some(({ value }) => isMap(value) && 'apiVersion' in value && 'kind' in value);
  } catch {
    return false; // whoever reads it says why it cannot be read
  }
}

export function readContextFile(file: string, files: Files = DISK): ContextRead {
  try {
    const content = files.read(file);
    return content.length > LARGEST
      ? { mistakes: [mistake(file, `it has ${content.length} bytes, and is no context file`, 'name another one')] }
      : readContext(file, content);
  } catch (error) {
    return { mistakes: [mistake(file, `it cannot be read: ${(error as Error).message}`, 'name another one')] };
  }
}

function mistake(file: string, what: string, remedy: string, place: { line: number; column?: number } = TOP) {
  return { place: { file, line: place.line, column: place.column ?? 1 }, what, remedy };
}

const TOP = { line: 1 };

export function readContext(file: string, content: string | Uint8Array): ContextRead {
  const yaml = readKubernetesYaml(content);
  const { faults } = yaml;
  const values = yaml.values.filter(({ value }) => value !== null);
  if (faults.length > 0) {
    return { mistakes: faults.map((fault) => mistake(file, fault.what, fault.remedy, fault)) };
  }
  if (values.length === 0) {
    return { context: NO_CONTEXT, mistakes: [] };
  }
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
  const [first, second] = values;
  const mistakes = new Mistakes(file, text, first);
  const read = readFile(file, mistakes, first.value);
  const found = second
    ? [mistake(file, 'it holds a second document', 'keep one', second), ...mistakes.found]
    : mistakes.found;
  return found.length > 0 ? { mistakes: inOrder(found) } : { ...read, mistakes: [] };
}

function inOrder(mistakes: readonly UnreadableDocument[]): UnreadableDocument[] {
  return [...mistakes].sort(({ place: one }, { place: other }) => one.line - other.line || one.column - other.column);
}

function readFile(file: string, mistakes: Mistakes, document: unknown): Omit<ContextRead, 'mistakes'> {
  mistakes.check(document, CONTEXT_FIELDS, []);
  if (!isMap(document)) {
    return {};
  }
  const exclude = texts(document.exclude) ?? [];
  const context = new ContextReader(file, mistakes, []).read(document);
  if (!Array.isArray(document.clusters)) {
    return { context, exclude };
  }
  for (const key of Object.keys(document).filter((one) => !BESIDE_CLUSTERS.includes(one))) {
    mistakes.add([key], `${called([key])} stands beside clusters`, 'write it in each of the clusters');
  }
  const clusters = document.clusters.map((cluster, i) => clusterIn(file, mistakes, cluster, ['clusters', i]));
  const names = clusters.map(({ name }) => name);
  names.forEach((name, i) => {
    if (names.indexOf(name) < i) {
      mistakes.add(['clusters', i, 'name'], `cluster ${brief(name)} is there twice`, 'write another name');
    }
  });
  return {
    context,
    exclude,
    clusters: clusters.map((one) => ({
      ...one,
      context: {
        ...one.context,
        accepted: [...one.context.accepted, ...context.accepted.map(forAll)],
        acceptedLosses: [...(one.context.acceptedLosses ?? []), ...(context.acceptedLosses ?? []).map(forAll)],
      },
    })),
  };
}

function forAll<T>(accepted: T): T & { readonly isForAll: true } {
  return { ...accepted, isForAll: true };
}

const BESIDE_CLUSTERS = ['clusters', 'exclude', 'accepted'];

function clusterIn(file: string, mistakes: Mistakes, cluster: unknown, path: YamlPath): WrittenCluster {
  if (!mistakes.check(cluster, CLUSTER_FIELDS, path)) {
    return { name: '', context: NO_CONTEXT, sources: [] };
  }
  if (cluster.sources === undefined) {
    mistakes.add(path, `${called(path)} has no sources`, `write sources: ${CLUSTER_FIELDS.sources.example}`);
  }
  const sources = (Array.isArray(cluster.sources) ? cluster.sources : []).flatMap((source, i) =>
    sourceIn(mistakes, source, [...path, 'sources', i]),
  );
  return { name: String(cluster.name), context: new ContextReader(file, mistakes, path).read(cluster), sources };
}

function sourceIn(mistakes: Mistakes, source: unknown, path: YamlPath): WrittenSource[] {
  if (!mistakes.check(source, SOURCE_FIELDS, path)) {
    return [];
  }
  const keys = Object.keys(source);
  if (keys.length !== 1) {
    const what = keys.length === 0 ? 'is empty' : `has ${joined(keys)}`;
    mistakes.add(
      path,
      `${called(path)} ${what}`,
      `write one of ${Object.keys(SOURCE_FIELDS).join(', ')} in each entry`,
    );
    return [];
  }
  const { kustomize, helm, files } = source;
  const place = mistakes.placeOf(path);
  if (helm !== undefined) {
    return mistakes.check(helm, HELM_FIELDS, [...path, 'helm']) ? [{ ...(helm as HelmSource), place }] : [];
  }
  return [kustomize === undefined ? { files, place } : { kustomize, place }];
}

class ContextReader {
  private readonly known: KnownContext[] = [];

  public constructor(
    private readonly file: string,
    private readonly mistakes: Mistakes,
    private readonly base: YamlPath,
  ) {}

  public read(document: Json): CheckContext {
    const kubernetes = this.version(document, 'kubernetes', (text) => KubernetesVersion.of(text));
    this.say(kubernetes && `Kubernetes ${kubernetes.version}`);
    const { controllers, installed } = this.controllers(document.controllers);
    const operator = this.version(document, 'strimzi', operatorOf);
    this.say(operator && `Strimzi ${operator.said}`);
    const keeper = document.keeper === true ? KeptServices.OWNED : undefined;
    this.say(keeper && 'a LoadBalancerKeeper');
    const region = typeof document.region === 'string' ? document.region : undefined;
    this.say(region && `region ${region}`);
    const nodePools = this.nodePools(document.nodePools);
    const platformNamespaces = texts(document.namespaces);
    const { accepted, acceptedLosses } = acceptedIn(document.accepted, this.mistakes, this.base);
    const budget = budgetIn(document.budget, this.mistakes, this.base);
    const { known } = this;
    const { strimzi, isStrimziOlder } = operator ?? {};
    return {
      ...{
        known,
        kubernetes,
        controllers,
        installed,
        strimzi,
        isStrimziOlder,
        keeper,
        region,
        nodePools,
        platformNamespaces,
      },
      ...{ accepted, acceptedLosses },
      ...(budget && { budget }),
    };
  }

  private say(what: string | undefined): void {
    if (what) {
      this.known.push({ what: printable(what), from: printable(this.file), isInferred: false });
    }
  }

  private version<T>(document: Json, key: string, of: (text: string) => T): T | undefined {
    if (document[key] === undefined || document[key] === null) {
      return undefined;
    }
    const path = [...this.base, key];
    const text = this.mistakes.version(document[key], CONTEXT_FIELDS[key], path);
    return text === undefined ? undefined : this.made(path, () => of(text));
  }

  private made<T>(path: YamlPath, make: () => T): T | undefined {
    try {
      return make();
    } catch (error) {
      this.mistakes.addThrown(path, error, 'correct it, or leave it out');
      return undefined;
    }
  }

  private controllers(entries: unknown): Pick<CheckContext, 'controllers' | 'installed'> {
    if (!Array.isArray(entries)) {
      return {};
    }
    const installed: InstalledController[] = [];
    const controllers = entries.flatMap((entry, index) => {
      const path = [...this.base, 'controllers', index];
      const one = this.installed(entry, path);
      if (one && installed.some((other) => areSame(one, other))) {
        this.mistakes.add(path, `${one.name} is listed twice`, 'list it once, or with another class');
      }
      if (!one) {
        return [];
      }
      installed.push(one);
      return this.made(path, () => controllerOf(one)) ?? [];
    });
    if (entries.length === 0) {
      this.say('none of the controllers whose rules are known here');
      return { controllers: [unnamedController('a controller that load-balancers.yaml does not name')], installed };
    }
    this.say(`controllers ${joined([...new Set(installed.map(inWords))])}`);
    return { controllers, installed };
  }

  private installed(entry: unknown, path: YamlPath): InstalledController | undefined {
    const { mistakes } = this;
    const name = isMap(entry) ? entry.name : entry;
    const at = isMap(entry) && 'name' in entry ? [...path, 'name'] : path;
    if (typeof name !== 'string') {
      const found =
        isMap(entry) && name === undefined ? 'has no name' : `is ${kindOf(name)}, and not the name of a controller`;
      mistakes.add(at, `${called(path)} ${found}`, `write one of ${NAMES().join(', ')}`);
      return undefined;
    }
    if (!kindNamed(name) && !isOther(name, entry)) {
      const another = `write one of ${NAMES().join(', ')}, or { name: ${brief(name)} } if its rules need not be known`;
      const remedy = name === CCM ? `write ${AWS_CLOUD_CONTROLLER}` : writeOne(name, controllerNames(), another);
      mistakes.add(at, `controller ${brief(name)} is unknown`, remedy);
      return undefined;
    }
    return isMap(entry) ? this.withOptions(name, entry, path) : { name, options: {} };
  }

  private withOptions(name: string, { name: _, ...options }: Json, path: YamlPath): InstalledController | undefined {
    const fields = optionsOf(name);
    const catalogue = kindNamed(name)?.catalogue;
    const ofServices = Object.keys(options).filter((key) => !Object.hasOwn(fields, key) && catalogue?.ofOption(key));
    for (const key of ofServices) {
      this.mistakes.add(
        [...path, key],
        `${called([...path, key])} is an option of single Services`,
        'take it out: annotations of the Service say it',
      );
      delete options[key];
    }
    if (!this.mistakes.check(options, fields, path) || ofServices.length > 0) {
      return undefined;
    }
    const read = Object.entries(options).map(([key, value]) => [
      key,
      fields[key].isVersion ? this.mistakes.version(value, fields[key], [...path, key]) : value,
    ]);
    return read.some(([, value]) => value === undefined) ? undefined : { name, options: Object.fromEntries(read) };
  }

  private nodePools(pools: unknown): CheckContext['nodePools'] {
    if (!isMap(pools)) {
      return undefined;
    }
    const found = Object.entries(pools).flatMap(([name, pool]): [string, NodePool][] => {
      const path = [...this.base, 'nodePools', name];
      const made = this.mistakes.check(pool, NODE_POOL_FIELDS, path)
        ? this.made(path, () => nodePool(name, pool))
        : undefined;
      return made ? [[name, made]] : [];
    });
    for (const [name] of found) {
      this.say(`node pool ${name}`);
    }
    return Object.fromEntries(found);
  }
}

const NAMES = () => knownKinds().map(({ name }) => name);

function isOther(name: string, entry: unknown): boolean {
  const isNew = name.trim() !== '' && name !== CCM && writeOne(name, controllerNames(), '') === '';
  return otherNamed(name) !== undefined || (isMap(entry) && (isNew || Array.isArray(entry.classes)));
}

/** A version of the operator; of one that is older than all that are known here, only what holds for all such versions is reported. */
export function operatorOf(text: string): Pick<CheckContext, 'strimzi' | 'isStrimziOlder'> & { readonly said: string } {
  const [, minor] = /^v?(\d+\.\d+)/.exec(text) ?? [];
  const [oldest] = Object.keys(STRIMZI_RELEASES);
  if (minor !== undefined && compareVersions(minor, oldest.replace(/\.\d+$/, '')) < 0) {
    return { isStrimziOlder: true, said: `${text}, older than the versions that are known here` };
  }
  const strimzi = StrimziVersion.of(text);
  return { strimzi, said: strimzi.version };
}

function texts(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined;
}

function nodePool(name: string, { labels, taints, zones }: Json): NodePool {
  return NodePool.labeled(labels, { name, taints: texts(taints)?.map(taintOf), zones });
}
