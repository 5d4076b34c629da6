import { styleText } from 'node:util';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { LOSSES, OUTCOMES, type Outcome } from '../contract/edit';
import { isDay, printable } from '../contract/json';
import { findOtherController } from '../controllers/other-controller';
import { COMMANDS, SHARED_OPTIONS } from './commands.facts';
import type { ControllerSelection, InstalledController } from './context/check-context';
import { controllerOf, VARIANT_OPTIONS } from './context/context-controllers';
import { controllerNames } from './explain/words';
import { UsageError, writeAtOnce } from './files';
import { type CommandResult, exitCode, type FailOn, lackOf, lineOf } from './formats/words';
import type { Manifests } from './manifests';
import { type Cluster, type ClusterOptions, clustersOf } from './sources/clusters';

export interface SharedOptions extends ClusterOptions {
  readonly format: string;
  readonly output?: string;
  readonly strict?: true;
  readonly failOn: FailOn;
  readonly verbose?: true;
  readonly color: 'auto' | 'always' | 'never';
}

export interface Answer extends CommandResult {
  readonly text: string;
}

interface OptionRow {
  readonly says: string;
  readonly choices?: readonly string[];
  readonly default?: string;
  readonly conflicts?: readonly string[];
  readonly isDay?: true;
}

export type OptionRows = Readonly<Record<string, OptionRow>>;

export interface CommandRow {
  readonly says: string;
  readonly takes: Readonly<Record<string, string>>;
  readonly options: OptionRows;
}

export type Reads = Readonly<Record<string, readonly string[] | ((text: string, before: never) => unknown)>>;

export function describeCommand(command: Command, { says, takes, options }: CommandRow, reads: Reads = {}): Command {
  for (const [name, words] of Object.entries(takes)) {
    const read = reads[name];
    command.addArgument(
      typeof read === 'function' ? new Argument(name, words).argParser(read as Read) : new Argument(name, words),
    );
  }
  return withOptions(command.description(says), options, reads);
}

type Read = (text: string, before: unknown) => unknown;

function withOptions(command: Command, rows: OptionRows, reads: Reads): Command {
  for (const [flags, row] of Object.entries(rows)) {
    const option = new Option(flags, row.says);
    const read = reads[option.attributeName()] ?? row.choices;
    if (row.isDay) {
      option.argParser(day).default(today(), 'today');
    } else if (typeof read === 'function') {
      option.argParser(read as Read);
    } else if (read) {
      option.choices(read);
    }
    if (row.default !== undefined) {
      option.default(row.default);
    }
    command.addOption(option.conflicts([...(row.conflicts ?? [])]));
  }
  return command;
}

export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

function day(text: string): string {
  if (!isDay(text)) {
    throw new InvalidArgumentError('write a day as 2027-06-30');
  }
  return text;
}

export function appendOption(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

interface RepositoryCommand<O extends SharedOptions> {
  readonly formats: readonly string[];
  readonly refused?: Partial<Record<'strict' | 'failOn', string>>;
  readonly reads?: Reads;
  readonly answer: (words: readonly string[], options: O & { readonly width?: number }) => Answer;
}

export function addRepositoryCommand<O extends SharedOptions>(
  program: Command,
  name: string,
  { formats, refused = {}, reads, answer }: RepositoryCommand<O>,
): Command {
  const shared = { format: formats, controllers: controllersNamed, exclude: appendOption };
  const command = withOptions(program.command(name), SHARED_OPTIONS, shared);
  for (const option of command.options.filter((one) => one.attributeName() in refused)) {
    option.hideHelp();
  }
  return describeCommand(command, COMMANDS[name], reads).action(() => {
    const options = command.opts<O>();
    const { output } = options;
    const { isTTY = false, columns } = process.stdout;
    try {
      for (const [key, why] of Object.entries(refused)) {
        if (command.getOptionValueSource(key) === 'cli') {
          throw new UsageError(`${name} takes no ${key === 'failOn' ? '--fail-on' : `--${key}`}: ${why}`);
        }
      }
      const isWide = isTTY && output === undefined;
      const result = answer(command.processedArgs.flat(), { ...options, ...(isWide && { width: columns }) });
      write(options.format === 'text' && isColored(options) ? colored(result.text) : result.text, output);
      process.exitCode = exitCode(result, options);
    } catch (error) {
      if (!(error instanceof UsageError)) {
        throw error;
      }
      command.error(error.message.split('\n').map(printable).join('\n'));
    }
  });
}

export function write(text: string, file?: string): void {
  if (file === undefined) {
    process.stdout.write(text);
    return;
  }
  try {
    writeAtOnce(file, text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`--output ${file} cannot be written (${code}); name a file in a folder that is there`);
  }
}

function isColored({ color, output }: SharedOptions): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = process.env;
  if (color !== 'auto' || output !== undefined) {
    return color === 'always';
  }
  return FORCE_COLOR ? FORCE_COLOR !== '0' : process.stdout.isTTY && !NO_COLOR && TERM !== 'dumb';
}

const STYLES = { error: 'red', warning: 'yellow', note: 'cyan', unknown: 'yellow', needs: 'yellow' } as const;

const COLORED = new RegExp(
  `^ *(?:(?:${Object.keys(STYLES).join('|')})(?= {2}|:)|(?:MAY BE )?(?:${OUTCOMES.join('|').toUpperCase()})(?= ))|\\b[1-9]\\d* (?:error|warning)s?\\b`,
  'gm',
);

function colored(text: string): string {
  return text.replace(COLORED, (words) => {
    const [word] = /[a-z]+|[A-Z].*/i.exec(words) ?? [''];
    const outcome = words.trim().replace('MAY BE ', '').toLowerCase() as Outcome;
    const ofLoss = outcome === 'interrupted' ? 'yellow' : LOSSES.has(outcome) ? 'red' : 'green';
    const style = STYLES[word.replace(/s$/, '') as keyof typeof STYLES] ?? (outcome === 'unknown' ? 'yellow' : ofLoss);
    // the command knows whether there are colors; styleText would ask the standard output itself
    return words.replace(/\S.*/, (one) => styleText(style, one, { validateStream: false }));
  });
}

export function readClusters(paths: readonly string[], options: ClusterOptions): Cluster[] {
  const all = clustersOf(paths.length > 0 ? paths : ['.'], options);
  const found = all.filter(({ read: { manifests, unreadable } }) => manifests.length + unreadable.length > 0);
  return found.length > 0 ? found : all;
}

export function printNotes(
  cluster: string | undefined,
  { unreadable, notes = [] }: Manifests,
  more: readonly string[] = [],
): void {
  const lacks = unreadable.map(
    (one) => `${lineOf(one.place.file, one.place.line)}: ${lackOf(one)}: ${one.what}; ${one.remedy}`,
  );
  for (const note of [...lacks, ...notes, ...more]) {
    process.stderr.write(`${printable(cluster === undefined ? note : `${cluster}: ${note}`)}\n`);
  }
}

function controllersNamed(names: string): ControllerSelection {
  const known = controllerNames();
  const installed = names.split(',').map((name): InstalledController => {
    const [kind, variant] = name.trim().split(':');
    if (!known.includes(name.trim()) && !findOtherController(name.trim())) {
      throw new InvalidArgumentError(`'${name}' is unknown; known are ${known.join(', ')}`);
    }
    return { name: kind, options: variant === undefined ? {} : VARIANT_OPTIONS[kind][variant] };
  });
  return { installed, controllers: installed.map(controllerOf) };
}
