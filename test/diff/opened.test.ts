import { diffText, publicChange } from '../../src/diff/effect';
import { CONTROLLERS, changesIn, readCases, type ServiceLines, service } from './rows';

interface Case {
  readonly case: string;
  /** One or several of `CONTROLLERS`. */
  readonly owner: string | readonly string[];
  readonly from?: ServiceLines;
  readonly to?: ServiceLines;
  /** The whole text, or its beginning and further parts in their order. */
  readonly says: string | readonly string[];
}

const ROWS = readCases<{ readonly cases: readonly Case[] }>('opened.yaml').cases.flatMap((one) =>
  typeof one.owner === 'string'
    ? [[one.case, one.owner, one] as const]
    : one.owner.map((owner) => [`${owner}: ${one.case}`, owner, one] as const),
);

test.each(ROWS)('%s', (_, owner, { from, to, says }) => {
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
