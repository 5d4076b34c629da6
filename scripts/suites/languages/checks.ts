import type { Tally } from '../jest-suite';

/** Lines of a failure that are shown. */
const LINES_SHOWN = 60;

/** Characters of a line of it: programs that are bundled are one long line. */
const CHARACTERS_SHOWN = 400;

/** Checks with titles, each of which passes or fails by itself. */
export class Checks {
  private passed = 0;
  private failed = 0;

  public get tally(): Tally {
    return { passed: this.passed, failed: this.failed };
  }

  /**
   * Fails where the check throws.
   *
   * @returns whether it passed: what needs its result can be left out where not
   */
  public that(title: string, check: () => void): boolean {
    const begin = Date.now();
    try {
      check();
      this.passed++;
      process.stdout.write(`  ok    ${title} (${((Date.now() - begin) / 1000).toFixed(1)} s)\n`);
      return true;
    } catch (error) {
      this.failed++;
      const lines = (error as Error).message.trimEnd().split('\n');
      const shown = lines.length > LINES_SHOWN ? ['…', ...lines.slice(-LINES_SHOWN)] : lines;
      process.stdout.write(
        `  FAIL  ${title}\n${shown.map((line) => `        ${line.slice(0, CHARACTERS_SHOWN)}\n`).join('')}`,
      );
      return false;
    }
  }
}
