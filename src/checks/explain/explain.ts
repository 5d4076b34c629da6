import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { isMap, type Json, ownValue } from '../../contract/json';
import { ownCommand } from '../../contract/rule';
import { LiveServices, namesOf, renamed } from '../../predicted/live-services';
import type { ReportedService } from '../../predicted/predicted';
import type { Manifest } from '../../rules/manifest-objects';
import { isService, wantsLoadBalancer } from '../../rules/service-json';
import { type CheckedObjects, checkObjects } from '../check';
import { Misuse } from '../files';
import { clusterTitle, json } from '../formats/words';
import { type Answer, addRepositoryCommand, readClusters, type SharedOptions, tell } from '../options';
import { explanationText, makerText, serviceText } from './explain-text';
import { type ExplainedMaker, type ExplainedService, explainMaker, explainService, nameOf } from './explained-service';
import type { Explanation } from './explanation';
import { type ExplainedWord, explainWord } from './words';

interface ExplainOptions extends SharedOptions {
  readonly format: 'text' | 'json' | 'mermaid';
  readonly trace?: boolean;
}

const lifecycle = () => require('./traces') as typeof import('./traces');

const NO_FINDINGS = 'explain answers a question; check fails on findings and on what is not known';

export function addExplain(program: Command): void {
  addRepositoryCommand<ExplainOptions>(program, 'explain', {
    formats: ['text', 'json', 'mermaid'],
    refused: { strict: NO_FINDINGS, failOn: NO_FINDINGS },
    answer: (words, options) => (options.trace ? explainTraces(words, options) : explain(words, options)),
  });
}

function explain([first, ...rest]: readonly string[], options: ExplainOptions): Answer {
  if (first === undefined) {
    throw new Misuse('explain has nothing to explain; name a word, or namespace/name of a Service, or pass --trace');
  }
  const [word, named] = isKindWithName(first, rest) ? [`${first} ${rest[0]}`, rest.slice(1)] : [first, rest];
  let isUnreadable = false;
  // a Service is looked for in the repository
  if (named.length > 0 || isNameOfObject(word)) {
    const clusters = read(named, options);
    const objects = clusters.flatMap((cluster) => explainedIn(cluster, word));
    isUnreadable = clusters.some((one) => one.isUnreadable);
    if (objects.length > 0) {
      refuseDrawing(options);
      const text =
        options.format === 'json' ? json(objects) : objects.map((one) => objectText(one, options)).join('\n');
      return { text, isUnreadable };
    }
  }
  const { explanations, ...near } = explainWord(word);
  if (explanations.length > 0) {
    refuseDrawing(options);
    const text = (one: Explanation) => explanationText(one, options.verbose);
    return { text: options.format === 'json' ? json(explanations) : explanations.map(text).join('\n'), isUnreadable };
  }
  const text = lifecycle().namedTrace(word, options.format);
  if (text === undefined) {
    throw new Misuse(unknown(word, named, near, lifecycle().tracesNear(word)));
  }
  return { text, isUnreadable };
}

function refuseDrawing({ format }: ExplainOptions): void {
  if (format === 'mermaid') {
    throw new Misuse('--format mermaid only draws traces; pass --trace, or name a trace');
  }
}

function explainTraces(words: readonly string[], options: ExplainOptions): Answer {
  const [first = '.', ...rest] = words;
  const isFile = first === '-' || existsSync(first);
  const [word, files] = isKindWithName(first, rest) ? [`${first} ${rest[0]}`, rest.slice(1)] : [first, rest];
  const clustersRead = read(isFile ? words : files, options);
  const isUnreadable = clustersRead.some((one) => one.isUnreadable);
  const clusters = clustersRead.map(({ cluster, checked: { manifests, later, context } }) => {
    const subjects = isFile
      ? [...manifests.filter(({ object }) => wantsLoadBalancer(object)), ...later.services]
      : subjectsNamed(word, manifests, later.services).flatMap((subject) =>
          'service' in subject ? [subject.service] : subject.services,
        );
    return { cluster, subjects, context };
  });
  const isNothing = clusters.every((one) => one.subjects.length === 0);
  if (isNothing && !isFile) {
    const what = `'${word}' is not a file, and not a Service of these files or what makes one`;
    throw new Misuse(`explain --trace: ${what}; name files that hold some`);
  }
  if (isNothing && options.format !== 'json') {
    const text = 'nothing to trace: these files hold no load balanced Service, and nothing that makes one\n';
    return { text, isUnreadable };
  }
  const traced = clusters.filter((one) => one.subjects.length > 0 || clusters.length === 1);
  const found = traced.map(({ cluster, subjects, context }) => ({
    cluster,
    all: lifecycle().tracesOf(subjects, context),
  }));
  const text =
    options.format === 'json'
      ? json(found.flatMap(({ cluster, all }) => all.map((one) => ({ ...inCluster(cluster), ...one }))))
      : found
          .map(
            ({ cluster, all }) =>
              `${clusterTitle(cluster, options.format)}${lifecycle().tracesText(all, options.format)}`,
          )
          .join('\n');
  return { text, isUnreadable };
}

/** `edge/echo`, or `Kafka kafka/events`; the words that are explained have a dot before the slash, or no slash. */
function isNameOfObject(word: string): boolean {
  return /^([A-Za-z]+ )?[a-z0-9][-a-z0-9]*\/[a-z0-9][-a-z0-9.]*$/.test(word);
}

function isKindWithName(first: string, [second]: readonly string[]): boolean {
  return (
    /^[A-Za-z]+$/.test(first) &&
    second !== undefined &&
    /^[^\s/]+\/[^\s/]+$/.test(second) &&
    !/\.(ya?ml|json)$/.test(second) &&
    !existsSync(second)
  );
}

type ExplainedObject = (ExplainedService | ExplainedMaker) & { readonly cluster?: string };

function explainedIn({ cluster, checked }: Read, word: string): ExplainedObject[] {
  return subjectsNamed(word, checked.manifests, checked.later.services).map((subject) => ({
    ...inCluster(cluster),
    ...('service' in subject
      ? explainService(subject.service, checked)
      : explainMaker(subject.maker, subject.services, checked)),
  }));
}

interface Read {
  readonly cluster?: string;
  readonly checked: CheckedObjects;
  readonly isUnreadable: boolean;
}

function read(files: readonly string[], options: ExplainOptions): Read[] {
  return readClusters(files, options).map(({ name, read, context }) => {
    tell(name, read);
    return { cluster: name, checked: checkObjects(read, context), isUnreadable: read.unreadable.length > 0 };
  });
}

function objectText(object: ExplainedObject, options: ExplainOptions): string {
  const text = 'services' in object ? makerText(object, options.verbose) : serviceText(object, options.verbose);
  return `${clusterTitle(object.cluster, options.format)}${text}`;
}

function inCluster(cluster: string | undefined) {
  return cluster === undefined ? {} : { cluster };
}

function unknown(
  word: string,
  files: readonly string[],
  { nearest, ofPrefix }: Omit<ExplainedWord, 'explanations'>,
  traces: readonly string[],
): string {
  if (existsSync(word)) {
    return `explain: '${word}' is a path; name a Service in it as well (explain NAMESPACE/NAME ${word}), or pass --trace`;
  }
  const what = `explain: '${word}' is not a known finalizer, class, annotation key, rule, controller or trace${
    files.length > 0 ? ', nor a Service of these files or what makes one' : ''
  }`;
  const prefix =
    ofPrefix.length > 0
      ? `; its prefix belongs to ${ofPrefix.join(', ')}, so the key is misspelt, or newer than what is known here`
      : '';
  const near = [...nearest, ...traces];
  const service =
    files.length === 0 && /^[a-z0-9-]+\/[a-z0-9.-]+$/.test(word)
      ? `; for a Service, name the files that hold it: kubectl get services,events --all-namespaces -o yaml | ${ownCommand(`explain ${word} -`)}`
      : '';
  return `${what}${prefix}${near.length > 0 ? `; near to it: ${near.join(', ')}` : ''}${service}`;
}

interface NamedObject {
  readonly kind?: string;
  readonly namespace?: string;
  readonly name: string;
}

type Subject =
  | { readonly service: ReportedService }
  | { readonly maker: Manifest; readonly services: readonly ReportedService[] };

const ALIASES: Readonly<Record<string, string>> = { svc: 'service', gtw: 'gateway', k: 'kafka' };

function namesIn(words: string): NamedObject[] {
  const [first, second] = words.trim().split(/\s+/);
  if (second !== undefined) {
    return [{ kind: kindIn(first), ...pathIn(second) }];
  }
  const { namespace, name } = pathIn(first);
  return namespace === undefined
    ? [{ name }]
    : [
        { namespace, name },
        { kind: kindIn(namespace), name },
      ];
}

function pathIn(path: string): { namespace?: string; name: string } {
  const slash = path.indexOf('/');
  return slash < 0 ? { name: path } : { namespace: path.slice(0, slash), name: path.slice(slash + 1) };
}

function kindIn(word: string): string {
  const kind = word.toLowerCase();
  return ownValue(ALIASES, kind) ?? ownValue(ALIASES, kind.replace(/s$/, '')) ?? kind;
}

/** The objects of some files that a name is meant for: Services that are there, what makes Services, Services that are made later. */
export function subjectsNamed(
  words: string,
  manifests: readonly Manifest[],
  later: readonly ReportedService[],
): Subject[] {
  for (const named of namesIn(words)) {
    const found = ofName(named, manifests, later);
    if (found.length > 0) {
      return found;
    }
  }
  return [];
}

function ofName(named: NamedObject, manifests: readonly Manifest[], later: readonly ReportedService[]): Subject[] {
  const fits = ({ object }: Manifest) => isNamed(object, named);
  const services = manifests.filter((one) => isService(one.object) && fits(one));
  if (services.length > 0) {
    return services.map((service) => ({ service }));
  }
  const makers = manifests.filter((one) => fits(one) && later.some(({ madeOf }) => madeOf?.object === one.object));
  if (makers.length > 0) {
    return makers.map((maker) => ({ maker, services: servicesOf(maker, manifests, later) }));
  }
  return later.flatMap((service) => {
    const isMeant = (name: string) =>
      isNamed({ ...service.object, metadata: { ...service.object.metadata, name } }, named);
    const name = namesOf(service).find(isMeant);
    if (name !== undefined) {
      return [{ service: renamed(service, name) }];
    }
    return namesOf(service).length === 0 && isMeant(nameOf(service.object)) ? [{ service }] : [];
  });
}

/** The Services of an object: as the cluster has them, and those that are in no file as they will be. */
function servicesOf(
  { object }: Manifest,
  manifests: readonly Manifest[],
  later: readonly ReportedService[],
): ReportedService[] {
  const files = new LiveServices(manifests);
  return later
    .filter(({ madeOf }) => madeOf?.object === object)
    .flatMap((made) => {
      const missing = files.missing([made]);
      return [
        ...files.of(made),
        ...missing.flatMap((one) => (namesOf(one).length > 0 ? namesOf(one).map((name) => renamed(one, name)) : [one])),
      ];
    });
}

function isNamed({ kind, metadata }: Json, named: NamedObject): boolean {
  const { namespace = 'default', name } = isMap(metadata) ? metadata : ({} as Json);
  return (
    name === named.name &&
    (named.kind === undefined ||
      String(kind).toLowerCase() === named.kind ||
      kindIn(named.kind) === kindIn(String(kind))) &&
    (named.namespace === undefined || namespace === named.namespace)
  );
}
