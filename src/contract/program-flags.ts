import { type Json, list } from './json';

export interface ProgramFlag {
  readonly name: string;
  /** The same as it is written: with one dash or two. */
  readonly written: string;
  /** Empty where none is written. */
  readonly value: string;
}

export function wordsOf({ command, args }: Json): string[] {
  return [...list<unknown>(command), ...list<unknown>(args)].map(String);
}

/**
 * Flags as Go reads them: the value is behind a sign of equality, or is the next word. spf13/pflag v1.0.10, flag.go
 * @param isBoolean true for a flag that takes no next word; of others a word that is a flag itself is no value
 */
export function flagsAmong(
  words: readonly string[],
  isBoolean: (name: string) => boolean = () => false,
): ProgramFlag[] {
  return words.flatMap((word, i): ProgramFlag[] => {
    const [, written, name, value] = /^(--?([^=\s]+))(?:=(.*))?$/s.exec(word) ?? [];
    if (name === undefined) {
      return [];
    }
    const next = words[i + 1] ?? '';
    return [{ name, written, value: value ?? (isBoolean(name) ? 'true' : next.startsWith('-') ? '' : next) }];
  });
}
