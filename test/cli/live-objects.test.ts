import { Gke } from '../../src';
import type { CheckContext } from '../../src/cli/context/check-context';
import { saidBy } from '../support/checks';
import { casesIn, table } from '../support/yaml-cases';
import { fileOf, type Part } from './checked';

const CASES = casesIn(__dirname, 'live-objects.yaml');

test.each<[string, CheckContext['controllers'], Part[], string, string[]]>(table('cli/live-objects.yaml', 'said'))(
  '%s',
  (_, controllers, of, rule, said) => expect(saidBy(rule, fileOf(CASES.pieces, of), { controllers })).toEqual(said),
);

test.each<[string, Part[], string[]]>(CASES['reserved on GKE'])('what GKE has written, %s', (_, of, found) => {
  const file = fileOf(CASES.pieces, of);
  const ids = ['finalizer-reserved', 'gke-annotation-reserved'];
  expect(ids.filter((id) => saidBy(id, file, { controllers: [Gke.passthrough()] }).length > 0)).toEqual(found);
});
