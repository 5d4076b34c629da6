import { Argument, type Command, type Option } from 'commander';
import { COMMANDS } from './commands.facts';

/** Completes a value or a word: one of some, a file, or `any` that is not known; undefined if there is none. */
type Completed = readonly string[] | 'file' | 'any' | undefined;

interface CompletedOption {
  /** Both ways to write it, as `-c` and `--controllers`. */
  readonly flags: readonly string[];
  readonly says: string;
  readonly value: Completed;
}

interface CompletedCommand {
  readonly name: string;
  readonly says: string;
  readonly options: readonly CompletedOption[];
  readonly words: Completed;
}

/** A plugin of kubectl is another name of the program. */
const PROGRAMS = ['cdk8s-load-balancers', 'kubectl-lb'];

export function addCompletion(program: Command): void {
  const { says, takes } = COMMANDS.completion;
  const [[name, words]] = Object.entries(takes);
  program
    .command('completion')
    .description(says)
    .addArgument(new Argument(name, words).choices(Object.keys(SHELLS)))
    .action((shell: string) => {
      process.stdout.write(SHELLS[shell](completedIn(program)));
    });
}

function completedIn(program: Command): CompletedCommand[] {
  const help = program.createHelp();
  const commands = help.visibleCommands(program);
  const names = commands.map((one) => one.name());
  return [program, ...commands].map((command) => {
    const [argument] = command.registeredArguments;
    const words = argument && (argument.argChoices ?? (command.name() === 'help' ? names : 'file'));
    return {
      name: command === program ? '' : command.name(),
      says: command.description(),
      options: help.visibleOptions(command).map(completedOption),
      words: command === program ? names : words,
    };
  });
}

function completedOption({ short, long, description, flags, argChoices, required, optional }: Option) {
  const takesValue = required || optional;
  const value: Completed = argChoices ?? (/<file>/.test(flags) ? 'file' : takesValue ? 'any' : undefined);
  return { flags: [short, long].filter((flag) => flag !== undefined), says: description, value };
}

const flagsOf = ({ options }: CompletedCommand) => options.flatMap(({ flags }) => flags).join(' ');

function bashFunction(commands: readonly CompletedCommand[]): string {
  // no choice leaves files to the shell, and a blank one completes nothing
  const reply = (value: Completed) =>
    value === 'file' ? 'return' : `choices='${Array.isArray(value) ? value.join(' ') : ' '}'`;
  const values = commands.flatMap(({ name, options }) =>
    options.flatMap(({ flags, value }) =>
      value === undefined ? [] : [`    ${flags.map((flag) => `${name}:${flag}`).join(' | ')}) ${reply(value)} ;;`],
    ),
  );
  const words = commands.flatMap((command) => [
    `        ${command.name}:-*) choices='${flagsOf(command)}' ;;`,
    `        ${command.name}:*) ${reply(command.words)} ;;`,
  ]);
  const names = commands.map(({ name }) => name).filter(Boolean);
  return `_cdk8s_load_balancers() {
  local word=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} command='' choices index
  if [[ $word == = ]]; then
    word=''
  elif [[ $previous == = ]]; then
    previous=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    case \${COMP_WORDS[index]} in
      ${names.join(' | ')}) command=\${COMP_WORDS[index]}; break ;;
    esac
  done
  COMPREPLY=()
  case $command:$previous in
${values.join('\n')}
    *)
      case $command:$word in
${words.join('\n')}
      esac
      ;;
  esac
  # shellcheck disable=SC2207
  COMPREPLY=($(compgen -W "$choices" -- "$word"))
  compopt +o default 2>/dev/null
}
`;
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function zsh([program, ...commands]: readonly CompletedCommand[]): string {
  const complete = (value: Completed) =>
    value === 'file' ? '_files' : Array.isArray(value) ? `(${value.join(' ')})` : ' ';
  const bracketed = (says: string) => says.replace(/[[\]:\\]/g, '\\$&');
  const optionSpecs = ({ options }: CompletedCommand) =>
    options.map(({ flags, says, value }) => {
      const [last = ''] = flags.slice(-1);
      const argument = value === undefined ? '' : `:${last.slice(2)}:${complete(value)}`;
      const spec = quoted(`[${bracketed(says)}]${argument}`);
      return flags.length > 1 ? `${quoted(`(${flags.join(' ')})`)}{${flags.join(',')}}${spec}` : `${last}${spec}`;
    });
  const of = (command: CompletedCommand) => {
    const words = command.words === undefined ? [] : [quoted(`*:${command.name}:${complete(command.words)}`)];
    return `        ${command.name}) _arguments ${[...optionSpecs(command), ...words].join(' ')} ;;`;
  };
  return `#compdef ${PROGRAMS.join(' ')}
_cdk8s_load_balancers() {
  local curcontext=$curcontext state line
  local -a commands=(
${commands.map(({ name, says }) => `    ${quoted(`${name}:${says.replaceAll(':', '\\:')}`)}`).join('\n')}
  )
  _arguments -C ${optionSpecs(program).join(' ')} '1: :->command' '*:: :->words'
  case $state in
    command) _describe command commands ;;
    words)
      case $words[1] in
${commands.map(of).join('\n')}
      esac
      ;;
  esac
}
if [[ $funcstack[1] == _cdk8s-load-balancers ]]; then
  _cdk8s_load_balancers "$@"
else
  compdef _cdk8s_load_balancers ${PROGRAMS.join(' ')}
fi
`;
}

function fish([program, ...commands]: readonly CompletedCommand[]): string {
  const value = (one: Completed) =>
    one === 'file' ? ' -r -F' : Array.isArray(one) ? ` -x -a ${quoted(one.join(' '))}` : one === 'any' ? ' -x' : '';
  const option = (when: string, { flags, says, value: one }: CompletedOption) =>
    `${when}${flags.map((flag) => (flag.startsWith('--') ? ` -l ${flag.slice(2)}` : ` -s ${flag.slice(1)}`)).join('')}${value(one)} -d ${quoted(says)}`;
  const lines = (name: string) => {
    const start = `complete -c ${name}`;
    const first = `${start} -n __fish_use_subcommand`;
    return [
      `${start} -f`,
      ...program.options.map((one) => option(first, one)),
      ...commands.map((command) => `${first} -a ${command.name} -d ${quoted(command.says)}`),
      ...commands.flatMap((command) => {
        const within = `${start} -n '__fish_seen_subcommand_from ${command.name}'`;
        const words = command.words === 'file' ? ' -F' : ` -a ${quoted([command.words ?? []].flat().join(' '))}`;
        return [
          ...command.options.map((one) => option(within, one)),
          ...(command.words === undefined ? [] : [`${within}${words}`]),
        ];
      }),
    ];
  };
  return `${PROGRAMS.flatMap(lines).join('\n')}\n`;
}

const SHELLS: Readonly<Record<string, (commands: readonly CompletedCommand[]) => string>> = {
  bash: (commands) => `${bashFunction(commands)}complete -o default -F _cdk8s_load_balancers ${PROGRAMS.join(' ')}\n`,
  zsh,
  fish,
  // the program that kubectl asks, kubectl_complete-lb: at the end 0 lets the shell complete files, and 4 does not
  kubectl: (commands) => `#!/usr/bin/env bash
directive=0
compopt() { directive=4; }
${bashFunction(commands)}COMP_WORDS=(kubectl-lb "$@")
COMP_CWORD=$#
_cdk8s_load_balancers
[[ \${#COMPREPLY[@]} == 0 ]] || printf '%s\\n' "\${COMPREPLY[@]}"
echo ":$directive"
`,
};
