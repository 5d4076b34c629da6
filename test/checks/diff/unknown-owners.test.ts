import { casesIn, titled } from '../../support/yaml-cases';
import { fileOf, type Row } from '../pieces';
import { Folder } from './repository';

const { pieces, rows, edits } = casesIn(__dirname, 'unknown-owners.yaml');

const OPEN = "kubernetes: '1.36'\n";

test.each(titled<Row>(rows))('%s', (_, { before, after, field, service = 'service', context = OPEN }) => {
  const web = fileOf(pieces, [service]);
  const folder = new Folder({
    'load-balancers.yaml': context,
    'old/web.yaml': web,
    'new/web.yaml': web,
    ...(before.length > 0 && { 'old/beside.yaml': fileOf(pieces, before) }),
    ...(after.length > 0 && { 'new/beside.yaml': fileOf(pieces, after) }),
  });
  const { changes } = folder.json('old', 'new');
  const change = changes.find(({ title }) => title === 'edge/web');
  const causes = (change?.causes ?? []).filter(({ outcome }) => outcome !== 'kept');
  expect([change?.outcome, ...causes.map((one) => one.field)]).toEqual(
    field === undefined ? ['kept'] : ['unknown', field],
  );
  for (const cause of causes) {
    expect((cause.after ?? cause.before)?.file).toMatch(/beside\.yaml$/);
    expect(cause.needs?.length).toBe(1);
  }
  expect(folder.diff(['old', 'new', '--strict']).code).toBe(field === undefined ? 0 : 1);
});

test.each(titled<Row>(edits))('an edit says nothing of controllers that do not run: %s', (_, edit) => {
  const { metadata, context = OPEN, said } = edit;
  const at = (address: string) => fileOf(pieces, [{ service: { metadata, spec: `loadBalancerIP: ${address}, ` } }]);
  const folder = new Folder({
    'load-balancers.yaml': context,
    'old/web.yaml': at('192.0.2.9'),
    'new/web.yaml': at('192.0.2.10'),
  });
  const [{ causes }] = folder.json('old', 'new').changes;
  expect(causes.map(({ outcome, why }) => `${outcome}: ${why}`)).toEqual([said]);
});
