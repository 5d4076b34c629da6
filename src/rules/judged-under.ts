import type { IConstruct } from 'constructs';
import { groupedByAll } from '../contract/json';
import type { JudgedObject } from './judged-object';
import { perPass } from './per-pass';
import { SynthWatch } from './synth-watch';

const judgedOf = perPass((root) => groupedByAll(SynthWatch.find(root)?.objects ?? [], ({ host }) => host.node.scopes));

/** The objects of a construct and of everything below it that rules validate, in the order in which they were made. */
export function judgedUnder(scope: IConstruct): readonly JudgedObject[] {
  return judgedOf(scope).get(scope) ?? [];
}
