import { StrimziVersion } from '../../src';
import { fieldsWithin, misfitsIn, SchemaFault, type SchemaFields, Shape } from '../../src/contract/schema/walk';
import { releaseReading } from '../../src/kafka/strimzi/releases';

const { SHAPE, VALUE, MISSING, UNKNOWN, TOO_NEW, REMOVED } = SchemaFault;
const { V0_45, V1_2 } = StrimziVersion;

const FIELDS = fieldsWithin({
  name: { shape: Shape.TEXT, required: true },
  type: { shape: Shape.TEXT, values: ['a', 'b', 'old'], valuesSince: { b: '1.0.0' }, oldApiValues: ['old'] },
  count: { shape: Shape.INTEGER, atLeast: 1, atMost: 3 },
  ratio: { shape: Shape.NUMBER, atLeast: 0, takes: 'a share' },
  size: { shape: Shape.TEXT, pattern: /^\d+$/, takes: 'digits' },
  labels: { shape: Shape.TEXT_MAP },
  lost: { shape: Shape.FREE, oldApi: true },
  list: { shape: Shape.MAPS, since: '1.0.0' },
  'list.id': { shape: Shape.INTEGER, required: true },
  'list.roles': { shape: Shape.TEXTS, values: ['x', 'y'] },
  any: { shape: Shape.ANYTHING },
  title: { shape: Shape.TEXT, atMost: 3 },
  tags: { shape: Shape.TEXTS, atLeast: 1, atMost: 2, entriesAtMost: 3 },
  ids: { shape: Shape.TEXTS, pattern: /^id-/ },
  numbers: { shape: Shape.INTEGERS },
  port: { shape: Shape.INTEGER_OR_TEXT },
  subnets: { shape: Shape.TEXTS_MAP },
  limits: { shape: Shape.QUANTITIES },
  single: { shape: Shape.SCALARS },
});

function misfits(map: unknown, strimzi: StrimziVersion, apiVersion: string, where = 'spec') {
  const release = releaseReading({ apiVersion }, strimzi);
  return misfitsIn({ map, fields: FIELDS, where, at: '/spec', release }).map((misfit) => [
    misfit.fault,
    misfit.where,
    misfit.path,
    misfit.value,
    misfit.takes ?? misfit.since,
  ]);
}

const OLD = 'kafka.strimzi.io/v1beta2';
const NEW = 'kafka.strimzi.io/v1';

test('fields by path are fields within fields', () => {
  const list: SchemaFields = {
    id: { shape: Shape.INTEGER, required: true },
    roles: { shape: Shape.TEXTS, values: ['x', 'y'] },
  };
  expect(FIELDS.list).toEqual({ shape: Shape.MAPS, since: '1.0.0', fields: list });
  expect(Object.keys(FIELDS)).not.toContain('list.id');
});

test.each<[unknown, unknown[]]>([
  [{}, [MISSING, 'spec.name', 'name', 'nothing', undefined]],
  [{ name: null }, [MISSING, 'spec.name', 'name', 'nothing', undefined]],
  [undefined, [MISSING, 'spec', '', 'nothing', undefined]],
  [{ name: 1 }, [SHAPE, 'spec.name', 'name', '1', 'a string']],
  [{ name: 'n', nmae: 'n' }, [UNKNOWN, 'spec.nmae', 'nmae', "'n'", undefined]],
  [{ name: 'n', 'a.b': 'n' }, [UNKNOWN, "spec['a.b']", 'a.b', "'n'", undefined]],
  [{ name: 'n', toString: 'n' }, [UNKNOWN, 'spec.toString', 'toString', "'n'", undefined]],
  [{ name: 'n', type: 'c' }, [VALUE, 'spec.type', 'type', "'c'", 'a, b']],
  [{ name: 'n', type: 'old' }, [REMOVED, 'spec.type', 'type', "'old'", undefined]],
  [{ name: 'n', lost: {} }, [REMOVED, 'spec.lost', 'lost', '{}', undefined]],
  [{ name: 'n', count: 0 }, [SHAPE, 'spec.count', 'count', '0', 'a whole number, at least 1']],
  [{ name: 'n', count: 4 }, [SHAPE, 'spec.count', 'count', '4', 'a whole number, at most 3']],
  [{ name: 'n', count: 1.5 }, [SHAPE, 'spec.count', 'count', '1.5', 'a whole number']],
  [{ name: 'n', ratio: -1 }, [SHAPE, 'spec.ratio', 'ratio', '-1', 'a share']],
  [{ name: 'n', size: '1x' }, [SHAPE, 'spec.size', 'size', "'1x'", 'digits']],
  [{ name: 'n', labels: { a: 1 } }, [SHAPE, "spec.labels['a']", 'labels.a', '1', 'a string, in quotes']],
  [{ name: 'n', list: [{ id: 0 }, {}] }, [MISSING, 'spec.list[1].id', 'list.id', 'nothing', undefined]],
  [{ name: 'n', title: 'long' }, [SHAPE, 'spec.title', 'title', "'long'", 'a string, at most 3 characters']],
  [{ name: 'n', tags: [] }, [SHAPE, 'spec.tags', 'tags', '[]', 'a list of strings, at least 1 entries']],
  [{ name: 'n', tags: ['long'] }, [SHAPE, 'spec.tags[0]', 'tags', "'long'", 'a string, at most 3 characters']],
  [{ name: 'n', ids: ['id-1', '2'] }, [SHAPE, 'spec.ids[1]', 'ids', "'2'", 'a string like ^id-']],
  [{ name: 'n', numbers: [1, '2'] }, [SHAPE, 'spec.numbers[1]', 'numbers', "'2'", 'a whole number']],
  [{ name: 'n', port: true }, [SHAPE, 'spec.port', 'port', 'true', 'a whole number or a string']],
  [{ name: 'n', subnets: { a: 'x' } }, [SHAPE, "spec.subnets['a']", 'subnets.a', "'x'", 'a list of strings']],
  [{ name: 'n', limits: { cpu: [] } }, [SHAPE, "spec.limits['cpu']", 'limits.cpu', '[]', 'a quantity']],
  [{ name: 'n', single: { a: [] } }, [SHAPE, "spec.single['a']", 'single.a', '[]', 'one string']],
  [{ name: 'n', list: ['x'] }, [SHAPE, 'spec.list[0]', 'list', "'x'", 'a map']],
  [{ name: 'n', list: [{ id: 0, roles: ['x', 'z'] }] }, [VALUE, 'spec.list[0].roles[1]', 'list.roles', "'z'", 'x, y']],
  [{ name: 'n', list: [{ id: 0, di: 1 }] }, [UNKNOWN, 'spec.list[0].di', 'list.di', '1', undefined]],
])('in %j one thing does not fit', (map, misfit) => {
  expect(misfits(map, V1_2, NEW)).toEqual([misfit]);
});

test.each<[unknown, unknown[]]>([
  [{ name: 'n', type: 'b' }, [TOO_NEW, 'type', 'type', "'b'", '1.0.0']],
  [{ name: 'n', type: 'c' }, [VALUE, 'type', 'type', "'c'", 'a, old']],
  [{ name: 'n', list: 'x' }, [TOO_NEW, 'list', 'list', "'x'", '1.0.0']],
])('in %j for an old operator one thing does not fit', (map, misfit) => {
  expect(misfits(map, V0_45, OLD, '')).toEqual([misfit]);
});

test('what an old resource had and what nobody looks into fits', () => {
  const map = { name: 'n', type: 'old', lost: { a: [1] }, any: [1], labels: { a: null }, count: 3, ratio: 0 };
  expect(misfits(map, V0_45, OLD)).toEqual([]);
});

test('what may have other fields is not searched for them', () => {
  const release = releaseReading({ apiVersion: NEW }, V1_2);
  const map = { name: 'n', other: 1, list: [{ id: 1, other: 1 }], limits: { cpu: 1, memory: '1Gi' }, port: 'https' };
  expect(misfitsIn({ map, fields: FIELDS, where: '', at: '', release, open: true })).toEqual([]);
});

test('an unknown field is reported with those beside it', () => {
  const found = misfitsIn({
    map: { name: 'n', list: [{ id: 1, x: 1 }] },
    fields: FIELDS,
    where: '',
    at: '',
    release: releaseReading({ apiVersion: NEW }, V1_2),
  });
  expect(found.map(({ name, siblings }) => [name, siblings])).toEqual([['x', ['id', 'roles']]]);
});

test.each<[unknown, string]>([
  [{ name: 1 }, '/spec/name'],
  [{ name: 'n', 'a/b~c': 1 }, '/spec/a~1b~0c'],
  [{ name: 'n', labels: { 'a.b/c': 1 } }, '/spec/labels/a.b~1c'],
  [{ name: 'n', list: [{ id: 0 }, { id: 0, roles: ['x', 'z'] }] }, '/spec/list/1/roles/1'],
  [{ name: 'n', list: [{}] }, '/spec/list/0/id'],
])('what does not fit in %j is found by a JSON pointer', (map, at) => {
  const release = releaseReading({ apiVersion: NEW }, V1_2);
  expect(misfitsIn({ map, fields: FIELDS, where: 'spec', at: '/spec', release }).map((one) => one.at)).toEqual([at]);
});

test('what only a deployment knows fits every field that it is in', () => {
  const token = '$' + '{Token[TOKEN.12]}';
  const map = { name: { [token]: 'x' }, list: [{ id: -1.8881545897087503e289, roles: [token] }] };
  const release = releaseReading({ apiVersion: NEW }, V1_2);
  expect(misfitsIn({ map, fields: FIELDS, where: 'spec', at: '/spec', release })).toEqual([]);
  expect(misfitsIn({ map: { name: { x: 'x' } }, fields: FIELDS, where: 'spec', at: '/spec', release })).toHaveLength(1);
});
