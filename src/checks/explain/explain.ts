import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { ownCommand } from '../../contract/own-command';
import { wantsLoadBalancer } from '../../rules/service-json';
import { type CheckedObjects, checkObjects } from '../check';
import { clusterTitle, json } from '../formats/words';
import { Misuse } from '../misuse';
import { type Answer, addRepositoryCommand, PATHS, readClusters, type SharedOptions, tell } from '../options';
import { explanationText, makerText, serviceText } from './explain-text';
import { type ExplainedMaker, explainMaker } from './explained-maker';
import { type ExplainedService, explainService } from './explained-service';
import type { Explanation } from './explanation';
import { subjectsNamed } from './subject';
import { type ExplainedWord, explainWord } from './words';

interface ExplainOptions extends SharedOptions {
  readonly format: 'text' | 'json' | 'mermaid';
  readonly trace?: boolean;
}

/** The model of a balancer's life is large, and few ask for it: it is loaded when it is asked for. */
const lifecycle = () => require('./traces') as typeof import('./traces');

const NO_FINDINGS = 'explain answers a question; check fails on findings and on what is not known';

export function addExplain(program: Command): void {
  addRepositoryCommand<ExplainOptions>(program, 'explain', {
    formats: ['text', 'json', 'mermaid'],
    refused: { strict: NO_FINDINGS, failOn: NO_FINDINGS },
    answer: (words, options) => (options.trace ? explainTraces(words, options) : explain(words, options)),
  })
    .description(
      'explains a finalizer, class, annotation, rule or controller; of a Service, who owns its load balancer, and why it is pending or stuck in Terminating',
    )
    .argument('[words...]', `a word, or namespace/service, svc/name or "Kafka namespace/name"; then ${PATHS}`)
    .option(
      '--trace',
      'print the shortest way in which each Service of the files is orphaned or stuck, if there is one; --format mermaid draws it',
    );
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

/** @throws Misuse if something else than a trace is to be drawn */
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

/** `Kafka kafka/events dump.yaml`, without quotes. */
function isKindWithName(first: string, [second]: readonly string[]): boolean {
  return (
    /^[A-Za-z]+$/.test(first) &&
    second !== undefined &&
    /^[^\s/]+\/[^\s/]+$/.test(second) &&
    !/\.(ya?ml|json)$/.test(second) &&
    !existsSync(second)
  );
}

/** A Service, or what makes one, with its cluster if there are several. */
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
