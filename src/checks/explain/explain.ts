import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { ownCommand } from '../../contract/own-command';
import { printable } from '../../contract/printable';
import type { ReportedService } from '../../later/later';
import { laterServices } from '../../later/later-services';
import { type Manifest, ManifestIndex } from '../../rules/manifest-objects';
import { wantsLoadBalancer } from '../../rules/service-json';
import { writtenContext } from '../check-command';
import { type CheckContext, type ControllersNamed, NO_CONTEXT } from '../context/check-context';
import { CONTEXT_FILE } from '../context/context-file';
import { inferredContext } from '../context/inference';
import { json, lineOf } from '../formats/words';
import { readManifests } from '../manifests';
import { explanationText, makerText, serviceText } from './explain-text';
import { type ExplainedMaker, explainMaker } from './explained-maker';
import { type ExplainedService, explainService } from './explained-service';
import { subjectsNamed } from './subject';
import { type ExplainedWord, explainWord } from './words';

interface ExplainOptions {
  readonly config?: string;
  readonly controllers?: ControllersNamed;
  readonly json?: boolean;
  readonly trace?: boolean;
  readonly mermaid?: boolean;
}

/** The model of a balancer's life is large, and few ask for it: it is loaded when it is asked for. */
const lifecycle = () => require('./traces') as typeof import('./traces');

/**
 * Adds the command that explains words and Services.
 *
 * @param program the program
 * @param controllersNamed reads the option that names controllers
 */
export function addExplain(program: Command, controllersNamed: (names: string) => ControllersNamed): void {
  program
    .command('explain')
    .description(
      'explains a finalizer, load balancer class, annotation key, rule, controller or trace: who owns it, what it does, what goes wrong and what to do; with files, a Service in them: who makes its balancer and why, and why it is pending or does not go',
    )
    .argument(
      '<word>',
      'the word, or namespace/service, svc/name or "Kafka namespace/name" in the files; with --trace it may be left out',
    )
    .argument('[files...]', 'files, folders of YAML or JSON files, or - for standard input')
    .option(
      '-c, --controllers <names>',
      'the controllers that run in the cluster, separated by commas; without it those of the context file, or those that the files show',
      controllersNamed,
    )
    .option(
      '--trace',
      'what can go wrong in the life of each Service of the files, by the shortest way to an orphan or a hang, or that none is found',
    )
    .option('--config <file>', `what is known of the cluster; without it ${CONTEXT_FILE} is looked for as by check`)
    .option('--json', 'for programs')
    .option('--mermaid', 'traces as Mermaid sequence diagrams')
    .action((word: string, files: string[], options: ExplainOptions, command: Command) =>
      options.trace ? explainTraces(word, files, options, command) : explain(word, files, options, command),
    );
}

function explain(first: string, rest: readonly string[], options: ExplainOptions, command: Command): void {
  const [word, files] = isKindWithName(first, rest) ? [`${first} ${rest[0]}`, rest.slice(1)] : [first, rest];
  const write = (text: string) => process.stdout.write(text);
  if (files.length > 0) {
    const objects = explainObjects(word, files, options, command);
    if (objects.length > 0) {
      write(options.json ? json(objects) : objects.map(objectText).join('\n'));
      return;
    }
  }
  const explained = explainWord(word);
  if (explained.explanations.length === 0) {
    const trace = lifecycle().namedTrace(word, options);
    if (trace !== undefined) {
      write(trace);
      return;
    }
    command.error(printable(unknown(word, files, explained, lifecycle().tracesNear(word))));
  }
  write(options.json ? json(explained.explanations) : explained.explanations.map(explanationText).join('\n'));
}

/** Traces of what is named in the files, or of all that is in them. */
function explainTraces(first: string, rest: readonly string[], options: ExplainOptions, command: Command): void {
  const isFile = first === '-' || existsSync(first);
  const [word, files] = isKindWithName(first, rest) ? [`${first} ${rest[0]}`, rest.slice(1)] : [first, rest];
  const { manifests, later, context } = read(isFile ? [first, ...rest] : files, options, command);
  const subjects = isFile
    ? [...manifests.filter(({ object }) => wantsLoadBalancer(object)), ...later]
    : subjectsNamed(word, manifests, later).flatMap((subject) =>
        'service' in subject ? [subject.service] : subject.services,
      );
  if (subjects.length === 0 && !isFile) {
    const what = `'${word}' is not a file, and not a Service of these files or what makes one`;
    command.error(printable(`explain --trace: ${what}; name files that hold some`));
  }
  if (subjects.length === 0 && !options.json) {
    process.stdout.write('nothing to trace: these files hold no load balanced Service, and nothing that makes one\n');
    return;
  }
  process.stdout.write(lifecycle().traces(subjects, context, options));
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

type ExplainedObject = ExplainedService | ExplainedMaker;

function explainObjects(
  word: string,
  files: readonly string[],
  options: ExplainOptions,
  command: Command,
): ExplainedObject[] {
  const { manifests, later, context } = read(files, options, command);
  return subjectsNamed(word, manifests, later).map((subject) =>
    'service' in subject
      ? explainService(subject.service, manifests, context)
      : explainMaker(subject.maker, subject.services, manifests, context),
  );
}

interface Read {
  readonly manifests: readonly Manifest[];
  readonly later: readonly ReportedService[];
  readonly context: CheckContext;
}

function read(files: readonly string[], { controllers, config }: ExplainOptions, command: Command): Read {
  const { manifests, unreadable } = readManifests(files);
  for (const { place, what, remedy } of unreadable) {
    process.stderr.write(`${printable(`${lineOf(place.file, place.line)}: cannot be read: ${what}; ${remedy}`)}\n`);
  }
  const later = laterServices(manifests).services;
  const index = new ManifestIndex(manifests);
  const context = inferredContext(
    index,
    controllers ? { ...NO_CONTEXT, ...controllers } : writtenContext(command, files, config),
    later.map((service) => index.entryOf(service)),
  );
  return { manifests, later, context };
}

function objectText(object: ExplainedObject): string {
  return 'services' in object ? makerText(object) : serviceText(object);
}

function unknown(
  word: string,
  files: readonly string[],
  { nearest, ofPrefix }: ExplainedWord,
  traces: readonly string[],
): string {
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
