import { diffText, publicChange } from '../../src/diff/effect';
import { CONTROLLERS, changesIn, readCases, type ServiceLines, service } from './rows';

interface Case {
  readonly case: string;
  /** One or several of `CONTROLLERS`. */
  readonly owner: string | readonly string[];
  readonly from?: ServiceLines;
  readonly to?: ServiceLines;
  readonly says: string;
}

const ROWS = readCases<{ readonly cases: readonly Case[] }>('opened.yaml').cases.flatMap((one) =>
  typeof one.owner === 'string'
    ? [[one.case, one.owner, one] as const]
    : one.owner.map((owner) => [`${owner}: ${one.case}`, owner, one] as const),
);

test.each(ROWS)('%s', (_, owner, { from, to, says }) => {
  const changes = changesIn(service(from), service(to), { installed: [CONTROLLERS[owner]] });
  const text = diffText(changes.map(publicChange), []);
  expect(text).toMatch(new RegExp(says));
});
