import type { Checks } from './checks';
import type { Packed } from './packed';

/** What the suite of languages asks of one of them. */
export interface Language {
  /** As it is called on the command line; its app is in test/consumers, its page in docs/languages. */
  readonly name: string;

  /** What is missing on this machine, in one clause; nothing where the language can be tested. */
  lack(): string | undefined;

  /**
   * Runs the app of the language with what is published, in folders of its own.
   *
   * @param checks takes every check with its title
   * @param packed what is published, made once for all languages
   */
  run(checks: Checks, packed: Packed): void;
}
