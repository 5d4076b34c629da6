import { dirname, join, relative, resolve } from 'node:path';
import { compareVersions } from '../../contract/compare-versions';
import { isMap, isSet, type Json, mapOf, printable } from '../../contract/json';
import { KubernetesVersion } from '../../contract/kubernetes-version';
import { readKubernetesYaml, type YamlPath } from '../../contract/kubernetes-yaml';
import { NodePool, NodeTaint } from '../../contract/node-pool';
import { TaintEffect } from '../../contract/options';
import { AWS_CLOUD_CONTROLLER } from '../../controllers/aws-cloud-provider/annotations';
import { findOtherController } from '../../controllers/other-controller';
import { CCM } from '../../installations/aws-cloud-controller-manager/installation.facts';
import { STRIMZI_RELEASES } from '../../kafka/strimzi/strimzi.facts';
import { StrimziVersion } from '../../kafka/strimzi/strimzi-version';
import { knownKinds } from '../../rules/known-kinds';
import type { KnownContext, UnreadableDocument } from '../check-report';
import { DISK, type Files } from '../files';
import { type CheckContext, type ClusterEntry, type InstalledController, NO_CONTEXT } from './check-context';
import {
  areSame,
  controllerNames,
  controllerOf,
  findKind,
  inWords,
  joinWords,
  optionsOf,
  unnamedController,
} from './context-controllers';
import { CLUSTER_FIELDS, CONTEXT_FIELDS, TAINT_SYNTAX } from './context-fields.facts';
import { ContextErrors, fieldPath, kindOf, LIMITS, truncated, writeOne } from './context-mistakes';

export const CONTEXT_FILE = 'load-balancers.yaml';

/** A context file that was read; a file with mistakes is never half read. */
export interface ContextRead {
  /** Known context of the cluster, if the file is about one; of a file with several clusters, what is accepted in all of them. */
  readonly context?: CheckContext;
  readonly clusters?: readonly ClusterEntry[];
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
  const mistakes = new ContextErrors(file, text, first);
  const read = readFile(file, mistakes, first.value);
  const found = second
    ? [mistake(file, 'it holds a second document', 'keep one', second), ...mistakes.found]
    : mistakes.found;
  return found.length > 0 ? { mistakes: inOrder(found) } : { ...read, mistakes: [] };
}

function inOrder(mistakes: readonly UnreadableDocument[]): UnreadableDocument[] {
  return [...mistakes].sort(({ place: one }, { place: other }) => one.line - other.line || one.column - other.column);
}

function readFile(file: string, mistakes: ContextErrors, document: unknown): Omit<ContextRead, 'mistakes'> {
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
    mistakes.add([key], `${fieldPath([key])} stands beside clusters`, 'write it in each of the clusters');
  }
  const { accepted, acceptedLosses = [] } = context;
  const clusters = document.clusters.map((cluster, i): ClusterEntry => {
    const path = ['clusters', i];
    if (!isMap(cluster) || mistakes.isWrong(cluster)) {
      return { name: '', context: NO_CONTEXT, sources: [] };
    }
    if (cluster.sources === undefined) {
      mistakes.add(path, `${fieldPath(path)} has no sources`, `write sources: ${CLUSTER_FIELDS.sources.example}`);
    }
    const own = new ContextReader(file, mistakes, path).read(cluster);
    const sources = Array.isArray(cluster.sources) ? cluster.sources : [];
    return {
      name: String(cluster.name),
      context: {
        ...own,
        accepted: [...own.accepted, ...accepted.map(forAll)],
        acceptedLosses: [...(own.acceptedLosses ?? []), ...acceptedLosses.map(forAll)],
      },
      sources: sources.map(({ helm, ...source }, at) => ({
        ...(helm ?? source),
        place: mistakes.placeOf([...path, 'sources', at]),
      })),
    };
  });
  const names = clusters.map(({ name }) => name);
  names.forEach((name, i) => {
    if (names.indexOf(name) < i) {
      mistakes.add(['clusters', i, 'name'], `cluster ${truncated(name)} is there twice`, 'write another name');
    }
  });
  return { context, exclude, clusters };
}

function forAll<T>(accepted: T): T & { readonly isForAll: true } {
  return { ...accepted, isForAll: true };
}

const BESIDE_CLUSTERS = ['clusters', 'exclude', 'accepted'];

/** Reads what is right in the keys of one cluster; mistakes that a schema cannot have are added. */
class ContextReader {
  public constructor(
    private readonly file: string,
    private readonly mistakes: ContextErrors,
    private readonly base: YamlPath,
  ) {}

  public read(document: Json): CheckContext {
    const kubernetes = this.made(document, 'kubernetes', (version) => KubernetesVersion.of(String(version)));
    const { controllers, installed } = this.controllers(document.controllers);
    const operator = this.made(document, 'strimzi', (version) => operatorOf(String(version)));
    const keeper = document.keeper === true ? ('owned' as const) : undefined;
    const { region } = document;
    const nodePools = this.nodePools(document.nodePools);
    const { strimzi, isStrimziOlder } = operator ?? {};
    const named = joinWords([...new Set(installed?.map(inWords))]);
    const said: readonly (readonly [what: string | false | undefined, field?: KnownContext['field']])[] = [
      [kubernetes && `Kubernetes ${kubernetes.version}`, 'kubernetes'],
      [
        installed && (named === '' ? 'none of the controllers whose rules are known here' : `controllers ${named}`),
        'controllers',
      ],
      [operator && `Strimzi ${operator.said}`, 'strimzi'],
      [keeper && 'a LoadBalancerKeeper'],
      [region && `region ${region}`],
      ...Object.keys(nodePools ?? {}).map((name) => [`node pool ${name}`] as const),
    ];
    return {
      known: said.flatMap(([what, field]) =>
        what ? [{ what: printable(what), from: printable(this.file), isInferred: false, field }] : [],
      ),
      ...{ kubernetes, controllers, installed, strimzi, isStrimziOlder, keeper, region, nodePools },
      ...this.accepted(document.accepted),
      ...this.budget(document.budget),
    };
  }

  /** Value of a key; undefined if it is missing or wrong. */
  private made<T>(
    map: Json,
    key: string | number,
    make: (value: unknown) => T,
    path: YamlPath = this.base,
  ): T | undefined {
    const at = [...path, key];
    if (!isSet(map[key]) || !this.mistakes.isRight(at)) {
      return undefined;
    }
    try {
      return make(map[key]);
    } catch (error) {
      this.mistakes.addThrown(at, error, 'correct it, or leave it out');
      return undefined;
    }
  }

  private controllers(entries: unknown): Pick<CheckContext, 'controllers' | 'installed'> {
    if (!Array.isArray(entries)) {
      return {};
    }
    const installed: InstalledController[] = [];
    const path = [...this.base, 'controllers'];
    const controllers = entries.flatMap((entry, index) => {
      const one = this.installed(entry, [...path, index]);
      if (one && installed.some((other) => areSame(one, other))) {
        this.mistakes.add([...path, index], `${one.name} is listed twice`, 'list it once, or with another class');
      }
      installed.push(...(one ? [one] : []));
      return one ? (this.made({ [index]: one }, index, () => controllerOf(one), path) ?? []) : [];
    });
    const unnamed = unnamedController('a controller that load-balancers.yaml does not name');
    return { controllers: entries.length === 0 ? [unnamed] : controllers, installed };
  }

  private installed(entry: unknown, path: YamlPath): InstalledController | undefined {
    const { mistakes } = this;
    const name = isMap(entry) ? entry.name : entry;
    const at = isMap(entry) && 'name' in entry ? [...path, 'name'] : path;
    const oneOf = `write one of ${knownKinds()
      .map((kind) => kind.name)
      .join(', ')}`;
    if (typeof name !== 'string') {
      const found =
        isMap(entry) && name === undefined ? 'has no name' : `is ${kindOf(name)}, and not the name of a controller`;
      mistakes.add(at, `${fieldPath(path)} ${found}`, oneOf);
      return undefined;
    }
    if (!findKind(name) && !isOther(name, entry)) {
      const another = `${oneOf}, or { name: ${truncated(name)} } if its rules need not be known`;
      const remedy = name === CCM ? `write ${AWS_CLOUD_CONTROLLER}` : writeOne(name, controllerNames(), another);
      mistakes.add(at, `controller ${truncated(name)} is unknown`, remedy);
      return undefined;
    }
    return isMap(entry) ? this.withOptions(name, entry, path) : { name, options: {} };
  }

  private withOptions(name: string, { name: _, ...written }: Json, path: YamlPath): InstalledController | undefined {
    const fields = optionsOf(name);
    const catalogue = findKind(name)?.catalogue;
    const isOfService = (key: string) => !Object.hasOwn(fields, key) && catalogue?.ofOption(key) !== undefined;
    const [ofServices, options] = [true, false].map((is) =>
      Object.entries(written).filter(([key]) => isOfService(key) === is),
    );
    for (const [key] of ofServices) {
      const at = [...path, key];
      const remedy = 'remove it: annotations of the Service say it';
      this.mistakes.add(at, `${fieldPath(at)} is an option of single Services`, remedy);
    }
    const isRight = this.mistakes.check(Object.fromEntries(options), fields, path);
    const read = options.map(([key, value]) => [key, fields[key]?.isVersion ? String(value) : value]);
    return isRight && ofServices.length === 0 ? { name, options: Object.fromEntries(read) } : undefined;
  }

  private nodePools(pools: unknown): CheckContext['nodePools'] {
    const path = [...this.base, 'nodePools'];
    const found = Object.keys(mapOf(pools)).flatMap((name): [string, NodePool][] => {
      const pool = this.made(
        pools as Json,
        name,
        (value) => {
          const { labels, taints, zones } = value as Json;
          return NodePool.labeled(labels, { name, taints: texts(taints)?.map(taintOf), zones });
        },
        path,
      );
      return pool ? [[name, pool]] : [];
    });
    return isMap(pools) ? Object.fromEntries(found) : undefined;
  }

  private accepted(entries: unknown): Required<Pick<CheckContext, 'accepted' | 'acceptedLosses'>> {
    const all = (Array.isArray(entries) ? entries : []).filter(isMap).map((entry, index) => {
      const { rule, outcome, object, reason, until } = entry;
      return { rule, outcome, object, reason, until, place: this.mistakes.placeOf([...this.base, 'accepted', index]) };
    });
    return {
      accepted: all.filter(({ rule }) => rule !== undefined).map(({ outcome: _, ...one }) => one),
      acceptedLosses: all.filter(({ rule }) => rule === undefined).map(({ rule: _, ...one }) => one),
    };
  }

  private budget(written: unknown): Pick<CheckContext, 'budget'> {
    const placeOf = (...keys: readonly string[]) => this.mistakes.placeOf([...this.base, 'budget', ...keys]);
    if (!isMap(written)) {
      return {};
    }
    const places = LIMITS.filter((limit) => limit in written).map((limit) => [limit, placeOf(limit)]);
    return { budget: { ...written, place: placeOf(), places: Object.fromEntries(places) } };
  }
}

const TAINTS: Readonly<Record<string, (key: string, value?: string) => NodeTaint>> = {
  [TaintEffect.NO_SCHEDULE]: NodeTaint.noSchedule,
  [TaintEffect.PREFER_NO_SCHEDULE]: NodeTaint.preferNoSchedule,
  [TaintEffect.NO_EXECUTE]: NodeTaint.noExecute,
};

export function taintBy(effect: unknown, key: unknown, value?: unknown): NodeTaint {
  if (typeof effect !== 'string' || !Object.hasOwn(TAINTS, effect)) {
    throw new Error(`node taint: the effect is not one of Kubernetes; write ${Object.keys(TAINTS).join(' or ')}`);
  }
  return TAINTS[effect](String(key), typeof value === 'string' ? value : undefined);
}

function taintOf(text: string): NodeTaint {
  const [, key, value, effect] = TAINT_SYNTAX.exec(text) ?? [];
  return taintBy(effect, key, value);
}

function isOther(name: string, entry: unknown): boolean {
  const isNew = name.trim() !== '' && name !== CCM && writeOne(name, controllerNames(), '') === '';
  return findOtherController(name) !== undefined || (isMap(entry) && (isNew || Array.isArray(entry.classes)));
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
