import { diffText, publicChange } from '../../src/diff/effect';
import { CONTROLLERS, changesIn, readCases, type ServiceLines, service } from './rows';

interface Case {
  readonly case: string;
  readonly owner: string;
  readonly from?: ServiceLines;
  readonly to?: ServiceLines;
  /** The whole text, or its beginning and further parts in their order. */
  readonly says: string | readonly string[];
}

test.each(readCases<{ readonly cases: readonly Case[] }>('opened.yaml').cases)('$case', ({ owner, from, to, says }) => {
  const changes = changesIn(service(from), service(to), { installed: [CONTROLLERS[owner]] });
  const text = diffText(changes.map(publicChange), []);
  if (typeof says === 'string') {
    expect(text).toBe(`${says}\n`);
  } else {
    let rest = text;
    expect(rest.slice(0, says[0].length)).toBe(says[0]);
    for (const part of says) {
      expect(rest).toContain(part);
      rest = rest.slice(rest.indexOf(part) + part.length);
    }
  }
});
