import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { isMap, type Json, ownValue } from '../../contract/json';
import { ownCommand } from '../../contract/rule';
import { LiveServices, namesOf, type ReportedService, renamed } from '../../predicted/predicted';
import type { Line } from '../../report/document';
import type { Manifest } from '../../rules/manifest-objects';
import { isService, wantsLoadBalancer } from '../../rules/service-json';
import { checkObjects } from '../check';
import { CONTEXT_FILE } from '../context/context-file';
import { UsageError } from '../files';
import { clusterTitle, json, pageUrl } from '../formats/words';
import { type Answer, addRepositoryCommand, printNotes, readClusters, type SharedOptions } from '../options';
import { explainMaker, explainService, makerText, serviceText } from './explained-service';
import { type ExplainedExample, type Explanation, explained, factLines, items, nameOf, section } from './explanation';
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

function explain(words: readonly string[], options: ExplainOptions): Answer {
  if (words.length === 0) {
    throw new UsageError(
      'explain has nothing to explain; name a word, or namespace/name of a Service, or pass --trace',
    );
  }
  const { word, files } = questionIn(words);
  let isUnreadable = false;
  const answer = <T>(found: readonly T[], textOf: (one: T) => string): Answer => {
    if (options.format === 'mermaid') {
      throw new UsageError('--format mermaid only draws traces; pass --trace, or name a trace');
    }
    return { text: options.format === 'json' ? json(found) : found.map(textOf).join('\n'), isUnreadable };
  };
  // a Service is looked for in the repository
  if (files.length > 0 || isNameOfObject(word)) {
    const clusters = read(files, options);
    isUnreadable = clusters.some((one) => one.isUnreadable);
    const objects = clusters.flatMap(({ cluster, checked }) =>
      findSubjects(word, checked.manifests, checked.later.services).map((subject) => ({
        ...inCluster(cluster),
        ...('service' in subject
          ? explainService(subject.service, checked)
          : explainMaker(subject.maker, subject.services, checked)),
      })),
    );
    if (objects.length > 0) {
      return answer(objects, (object) => {
        const text = 'services' in object ? makerText(object, options.verbose) : serviceText(object, options.verbose);
        return `${clusterTitle(object.cluster, options.format)}${text}`;
      });
    }
  }
  const { explanations, ...near } = explainWord(word);
  if (explanations.length > 0) {
    return answer(explanations, (one) => explanationText(one, options.verbose));
  }
  const text = lifecycle().namedTrace(word, options.format);
  if (text === undefined) {
    throw new UsageError(unknown(word, files, near, lifecycle().tracesNear(word)));
  }
  return { text, isUnreadable };
}

function explainTraces(words: readonly string[], options: ExplainOptions): Answer {
  const [first = '.'] = words;
  const { format } = options;
  const isFile = first === '-' || existsSync(first);
  const { word, files } = questionIn(words);
  const clustersRead = read(isFile ? words : files, options);
  const isUnreadable = clustersRead.some((one) => one.isUnreadable);
  const clusters = clustersRead.map(({ cluster, checked: { manifests, later, context } }) => {
    const subjects = isFile
      ? [...manifests.filter(({ object }) => wantsLoadBalancer(object)), ...later.services]
      : findSubjects(word, manifests, later.services).flatMap((subject) =>
          'service' in subject ? [subject.service] : subject.services,
        );
    return { cluster, subjects, context };
  });
  const isNothing = clusters.every((one) => one.subjects.length === 0);
  if (isNothing && !isFile) {
    const what = `'${word}' is not a file, and not a Service of these files or what makes one`;
    throw new UsageError(`explain --trace: ${what}; name files that hold some`);
  }
  if (isNothing && format !== 'json') {
    const text = 'nothing to trace: these files hold no load balanced Service, and nothing that makes one\n';
    return { text, isUnreadable };
  }
  const found = clusters
    .filter(({ subjects }) => subjects.length > 0 || clusters.length === 1)
    .map(({ cluster, subjects, context }) => ({ cluster, all: lifecycle().tracesOf(subjects, context) }));
  const text =
    format === 'json'
      ? json(found.flatMap(({ cluster, all }) => all.map((one) => ({ ...inCluster(cluster), ...one }))))
      : found.map(({ cluster, all }) => clusterTitle(cluster, format) + lifecycle().tracesText(all, format)).join('\n');
  return { text, isUnreadable };
}

/** The word that is asked about, which may be a kind with a name, and the files that follow it. */
function questionIn([first = '.', ...rest]: readonly string[]) {
  const [second] = rest;
  const isKindWithName =
    /^[A-Za-z]+$/.test(first) &&
    second !== undefined &&
    /^[^\s/]+\/[^\s/]+$/.test(second) &&
    !/\.(ya?ml|json)$/.test(second) &&
    !existsSync(second);
  return isKindWithName ? { word: `${first} ${second}`, files: rest.slice(1) } : { word: first, files: rest };
}

/** `edge/echo`, or `Kafka kafka/events`; the words that are explained have a dot before the slash, or no slash. */
function isNameOfObject(word: string): boolean {
  return /^([A-Za-z]+ )?[a-z0-9][-a-z0-9]*\/[a-z0-9][-a-z0-9.]*$/.test(word);
}

function read(files: readonly string[], options: ExplainOptions) {
  return readClusters(files, options).map(({ name, read, context }) => {
    printNotes(name, read);
    return { cluster: name, checked: checkObjects(read, context), isUnreadable: read.unreadable.length > 0 };
  });
}

function inCluster(cluster: string | undefined): { readonly cluster?: string } {
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
  const near = [...nearest, ...traces];
  const isName = files.length === 0 && /^[a-z0-9-]+\/[a-z0-9.-]+$/.test(word);
  return [
    `explain: '${word}' is not a known finalizer, class, annotation key, rule, controller, operator or trace`,
    files.length > 0 ? ', nor a Service of these files or what makes one' : '',
    ofPrefix.length > 0
      ? `; its prefix belongs to ${ofPrefix.join(', ')}, so the key is misspelt, or newer than what is known here`
      : '',
    near.length > 0 ? `; near to it: ${near.join(', ')}` : '',
    isName
      ? `; for a Service, name the files that hold it: kubectl get services,events --all-namespaces -o yaml | ${ownCommand(`explain ${word} -`)}`
      : '',
  ].join('');
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
export function findSubjects(
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

const QUOTED = 15;

export function explanationText(
  { kind, word, says, parts, rules, todo, happens, examples = [], readOn }: Explanation,
  isVerbose = false,
): string {
  const width = Math.max(0, ...rules.map(({ severity }) => severity.length));
  const isBrief = rules.length > QUOTED && !isVerbose;
  return explained([
    [
      [0, `${kind} ${word}`],
      [2, says],
    ],
    ...parts.map(({ who, facts, source }) =>
      section(who, factLines({ ...facts, ...((isVerbose || kind === 'rule') && { source }) })),
    ),
    section(
      `what goes wrong: ${rules.length === 1 ? 'one rule' : `${rules.length} rules`}`,
      items(
        isBrief
          ? [rules.map(({ id }) => id).join(', ')]
          : rules.map(({ id, severity, says: law }) => `${severity.padEnd(width)}  ${id}: ${law}`),
      ),
    ),
    happens ? [[2, happens]] : [],
    ...examples.flatMap(exampleText),
    section('what to do', items(todo)),
    readOn.map((page) => [2, `read on: ${pageUrl(page)}`]),
  ]);
}

function exampleText({ context, file, language, bad, what, line, remedy, good }: ExplainedExample): Line[][] {
  const linesOf = (text: string, marked?: number) =>
    text
      .trimEnd()
      .split('\n')
      .map((each, i): Line => [0, `${i + 1 === marked ? '  > ' : '    '}${each}`]);
  const [isCode, of] = [language === 'ts', language === 'ts' || !file ? '' : ` ${file}`];
  return [
    context ? section((isCode && file) || (language ? 'constructs' : CONTEXT_FILE), linesOf(context)) : [],
    section(`bad${of}`, linesOf(bad, line)),
    [
      [2, what],
      [2, `fix: ${remedy}`],
    ],
    section(`good${of}`, linesOf(good)),
  ];
}
