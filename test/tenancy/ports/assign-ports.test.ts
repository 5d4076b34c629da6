import { assignPorts } from '../../../src/tenancy/ports/assign-ports';
import type { PortRules } from '../../../src/tenancy/ports/rules';
import { casesIn, titled } from '../../support/yaml-cases';
import { asks, ids, locked, places, RULES, sentenceOfPorts } from './port-requests';

interface Case {
  readonly title: string;
  readonly rules?: Partial<PortRules>;
  readonly asks?: string[];
  readonly locked?: string[];
  readonly assigned?: string[];
  readonly faults?: string[];
  readonly says?: string;
}

const CASES: Readonly<Record<string, readonly Case[]>> = casesIn(__dirname, 'assign-ports.yaml');

const found = ({ rules, asks: texts = [], locked: lines = [] }: Case, order = <T>(list: T[]) => list) =>
  assignPorts(order(texts.map(asks)), locked(...order([...lines])), { ...RULES, ...rules });

test.each(titled(CASES.assigned))('%s', (_, one) => {
  const { assigned, faults } = found(one);
  expect(places(assigned)).toEqual(one.assigned ?? []);
  expect(ids(faults)).toEqual(one.faults ?? []);
  expect(found(one, (list) => list.reverse())).toEqual({ assigned, faults });
});

test.each(titled(CASES.sentences))('says %s', (_, one) => {
  expect(found(one).faults.map(sentenceOfPorts)).toEqual([one.says]);
});
