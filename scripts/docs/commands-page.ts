import type { Command, Option } from 'commander';
import { COMMANDS } from '../../src/cli/commands.facts';
import { allCommands } from '../../src/cli/main';
import { code, codes, page, table } from './markdown';

const PATHS = COMMANDS.check.takes['[path...]'];

/** The commands with their options, from the program itself. */
export function commandsPage(): string {
  const { commands } = allCommands();
  const reading = commands.filter((command) => optionNamed(command, '--config'));
  const [{ options }] = reading;
  const isShared = ({ long }: Option) => reading.every((command) => optionNamed(command, String(long)));
  return page(
    '# Commands',
    `${codes(reading.map((command) => command.name()))} read a repository and share these options. Paths are ${PATHS}. [Check manifests](../how-to/check-manifests.md#declare-several-clusters) describes clusters.`,
    listOf(options.filter(isShared)),
    '## Exit codes',
    table(
      ['code', 'when'],
      [
        ['0', 'no error and no loss, except accepted ones'],
        [
          '1',
          'an error or a loss; with `--fail-on warning`, a warning or an edit without an effect; with `--strict`, an unknown answer',
        ],
        [
          '2',
          'an invalid argument, a mistake in `load-balancers.yaml`, a file that cannot be read, or a declared source that cannot be rendered',
        ],
      ],
    ),
    'Unknown answers only fail with `--strict`. The last line of the output lists them.',
    ...commands.flatMap((command) => sectionOf(command, reading.includes(command) ? isShared : () => false)),
  );
}

function optionNamed(command: Command, long: string): Option | undefined {
  return command.options.find((option) => option.long === long);
}

function sectionOf(command: Command, isShared: (option: Option) => boolean): string[] {
  const own = command.options.filter((option) => !isShared(option));
  const refused = command.options.filter((option) => isShared(option) && option.hidden);
  const formats = optionNamed(command, '--format')?.argChoices ?? [];
  return [
    `## ${command.name()}`,
    `${command.description()}.`.replace(/^./, (letter) => letter.toUpperCase()),
    ...command.registeredArguments
      .filter((one) => one.description !== PATHS)
      .map((one) => `${code(one.name().toUpperCase())}: ${one.description}.`),
    [
      ...(formats.length > 0 ? [`Formats: ${codes(formats)}.`] : []),
      ...(refused.length > 0 ? [`Not supported: ${codes(refused.map(({ long }) => String(long)))}.`] : []),
    ].join(' '),
    listOf(own),
  ].filter((text) => text !== '');
}

function listOf(options: readonly Option[]): string {
  return options
    .map(({ flags, long, description, argChoices, defaultValue, defaultValueDescription }) => {
      const says = [
        description,
        ...(argChoices && long !== '--format' ? [codes(argChoices)] : []),
        ...(typeof defaultValue === 'string' ? [`${code(defaultValueDescription ?? defaultValue)} by default`] : []),
      ];
      return `- ${code(flags.replace(/<(.*)>/, (_, value: string) => value.toUpperCase()))}: ${says.join('; ')}`;
    })
    .join('\n');
}
