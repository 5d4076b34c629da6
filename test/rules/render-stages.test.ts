import { ApiObject, Chart, JsonPatch, Testing } from 'cdk8s';
import { RenderStage, renderBy, renderingOf, renderLate } from '../../src/contract/late-rendering';

const { SCOPE, PIN, WRITE } = RenderStage;

function object(): ApiObject {
  return new ApiObject(new Chart(Testing.app(), 'c'), 'o', { apiVersion: 'v1', kind: 'ConfigMap', data: { way: '-' } });
}

function adds(letter: string) {
  return (json: Record<string, { way: string }>) => ({ ...json, data: { way: json.data.way + letter } });
}

test.each([
  ['scope, pin, write', [SCOPE, PIN, WRITE]],
  ['write, pin, scope', [WRITE, PIN, SCOPE]],
  ['pin, write, scope', [PIN, WRITE, SCOPE]],
])('stages follow each other in their order, asked for as %s', (_, order) => {
  const made = object();
  for (const stage of order) {
    renderLate(made, stage, adds(RenderStage[stage][0]));
  }
  expect(made.toJson().data.way).toBe('-SPW');
});

test('a later change of one stage follows the earlier one', () => {
  const made = object();
  renderLate(made, PIN, adds('1'));
  renderLate(made, PIN, adds('2'));
  expect(made.toJson().data.way).toBe('-12');
});

test('what is rendered before a stage has the earlier stages that were added later, and no later one', () => {
  const made = object();
  const before = renderingOf(made, WRITE);
  renderBy(made, WRITE, () => ({ written: before() }));
  renderLate(made, SCOPE, adds('S'));
  expect(made.toJson().written.data.way).toBe('-S');
  expect(renderingOf(made, SCOPE)().data.way).toBe('-S');
  expect(renderingOf(made, PIN)().data.way).toBe('-S');
});

test('JSON patches that are added last are seen by every stage', () => {
  const made = object();
  renderLate(made, WRITE, adds('W'));
  made.addJsonPatch(JsonPatch.replace('/data/way', 'patched '));
  expect(made.toJson().data.way).toBe('patched W');
});
