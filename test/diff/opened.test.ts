import { diffText, publicChange } from '../../src/diff/effect';
import { CONTROLLERS, changesIn, readCases, type ServiceLines, service } from './rows';

interface Case {
  readonly case: string;
  readonly owner: string;
  readonly from?: ServiceLines;
  readonly to?: ServiceLines;
  /** The beginning of the text, and what else is in it. */
  readonly says: readonly string[];
}

test.each(readCases<{ readonly cases: readonly Case[] }>('opened.yaml').cases)('$case', ({ owner, from, to, says }) => {
  const changes = changesIn(service(from), service(to), { installed: [CONTROLLERS[owner]] });
  const text = diffText(changes.map(publicChange), []);
  const [first, ...others] = says;
  expect(text.slice(0, first.length)).toBe(first);
  for (const part of others) {
    expect(text).toContain(part);
  }
});
