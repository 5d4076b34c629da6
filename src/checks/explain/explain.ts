import { existsSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { ownCommand } from '../../contract/own-command';
import { printable } from '../../contract/printable';
import { wantsLoadBalancer } from '../../rules/service-json';
import { type CheckedObjects, checkObjects } from '../check';
import { readClusters, withClusterOptions } from '../cluster-options';
import { json, lackOf, lineOf } from '../formats/words';
import type { ClusterOptions } from '../sources/clusters';
import { explanationText, makerText, serviceText } from './explain-text';
import { type ExplainedMaker, explainMaker } from './explained-maker';
import { type ExplainedService, explainService } from './explained-service';
import { subjectsNamed } from './subject';
import { type ExplainedWord, explainWord } from './words';

interface ExplainOptions extends ClusterOptions {
  readonly format: 'text' | 'json' | 'mermaid';
  readonly trace?: boolean;
}

/** The model of a balancer's life is large, and few ask for it: it is loaded when it is asked for. */
const lifecycle = () => require('./traces') as typeof import('./traces');

/** Adds the command that explains words and Services. */
export function addExplain(program: Command): void {
  withClusterOptions(program.command('explain'))
    .description(
      'explains a finalizer, load balancer class, annotation key, rule, controller or trace: who owns it, what it does, what goes wrong and what to do; with files, a Service in them: who makes its balancer and why, and why it is pending or does not go',
    )
    .argument(
      '<word>',
      'the word, or namespace/service, svc/name or "Kafka namespace/name" in the files; with --trace it may be left out',
    )
    .argument('[files...]', 'files, folders of YAML or JSON files, or - for standard input')
    .option(
      '--trace',
      'what can go wrong in the life of each Service of the files, by the shortest way to an orphan or a hang, or that none is found',
    )
    .addOption(
      new Option('--format <format>', 'how it is printed; traces as sequence diagrams of Mermaid, too')
        .choices(['text', 'json', 'mermaid'])
        .default('text'),
    )
    .action((word: string, files: string[], options: ExplainOptions, command: Command) =>
      options.trace ? explainTraces(word, files, options, command) : explain(word, files, options, command),
    );
}

function explain(first: string, rest: readonly string[], options: ExplainOptions, command: Command): void {
  const [word, named] = isKindWithName(first, rest) ? [`${first} ${rest[0]}`, rest.slice(1)] : [first, rest];
  // a Service is looked for in the repository
  const files = named.length === 0 && isNameOfObject(word) ? ['.'] : named;
  const write = (text: string) => process.stdout.write(text);
  if (files.length > 0) {
    const objects = explainObjects(word, files, options, command);
    if (objects.length > 0) {
      write(options.format === 'json' ? json(objects) : objects.map(objectText).join('\n'));
      return;
    }
  }
  const explained = explainWord(word);
  if (explained.explanations.length === 0) {
    const trace = lifecycle().namedTrace(word, drawn(options));
    if (trace !== undefined) {
      write(trace);
      return;
    }
    command.error(printable(unknown(word, named, explained, lifecycle().tracesNear(word))));
  }
  write(
    options.format === 'json' ? json(explained.explanations) : explained.explanations.map(explanationText).join('\n'),
  );
}

/** How traces are printed. */
function drawn({ format }: ExplainOptions) {
  return { json: format === 'json', mermaid: format === 'mermaid' };
}

/** Traces of what is named in the files, or of all that is in them. */
function explainTraces(first: string, rest: readonly string[], options: ExplainOptions, command: Command): void {
  const isFile = first === '-' || existsSync(first);
  const [word, files] = isKindWithName(first, rest) ? [`${first} ${rest[0]}`, rest.slice(1)] : [first, rest];
  const clusters = read(isFile ? [first, ...rest] : files, options, command).map(
    ({ checked: { manifests, later, context } }) => {
      const subjects = isFile
        ? [...manifests.filter(({ object }) => wantsLoadBalancer(object)), ...later.services]
        : subjectsNamed(word, manifests, later.services).flatMap((subject) =>
            'service' in subject ? [subject.service] : subject.services,
          );
      return { subjects, context };
    },
  );
  const subjects = clusters.flatMap((one) => one.subjects);
  if (subjects.length === 0 && !isFile) {
    const what = `'${word}' is not a file, and not a Service of these files or what makes one`;
    command.error(printable(`explain --trace: ${what}; name files that hold some`));
  }
  if (subjects.length === 0 && options.format !== 'json') {
    process.stdout.write('nothing to trace: these files hold no load balanced Service, and nothing that makes one\n');
    return;
  }
  const traced = clusters.filter((one) => one.subjects.length > 0 || clusters.length === 1);
  const texts = traced.map((one) => lifecycle().traces(one.subjects, one.context, drawn(options)));
  process.stdout.write(options.format === 'json' ? json(texts.flatMap((text) => JSON.parse(text))) : texts.join('\n'));
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

function explainObjects(
  word: string,
  files: readonly string[],
  options: ExplainOptions,
  command: Command,
): ExplainedObject[] {
  return read(files, options, command).flatMap(({ cluster, checked }) =>
    subjectsNamed(word, checked.manifests, checked.later.services).map((subject) => ({
      ...(cluster !== undefined && { cluster }),
      ...('service' in subject
        ? explainService(subject.service, checked)
        : explainMaker(subject.maker, subject.services, checked)),
    })),
  );
}

/** The objects of a cluster. */
interface Read {
  /** Its name, if there are several. */
  readonly cluster?: string;
  readonly checked: CheckedObjects;
}

function read(files: readonly string[], options: ExplainOptions, command: Command): Read[] {
  return readClusters(command, files, options).map(({ name, read, context }) => {
    const { unreadable, notes = [] } = read;
    const told = [
      ...unreadable.map(
        (one) => `${lineOf(one.place.file, one.place.line)}: ${lackOf(one)}: ${one.what}; ${one.remedy}`,
      ),
      ...notes,
    ];
    if (unreadable.some(({ isSource }) => isSource)) {
      process.exitCode = 2;
    }
    for (const note of told) {
      process.stderr.write(`${printable(name === undefined ? note : `${name}: ${note}`)}\n`);
    }
    return { cluster: name, checked: checkObjects(read, context) };
  });
}

function objectText(object: ExplainedObject): string {
  const text = 'services' in object ? makerText(object) : serviceText(object);
  return object.cluster === undefined ? text : `cluster ${printable(object.cluster)}\n\n${text}`;
}

function unknown(
  word: string,
  files: readonly string[],
  { nearest, ofPrefix }: ExplainedWord,
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
