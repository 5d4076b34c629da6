import type { Json } from '../contract/json';
import { lbcFile } from '../controllers/aws-load-balancer-controller/facts';
import type { Rule } from '../rules/rule';
import type { ObjectContext } from '../rules/rule-context';
import { RuleSet } from '../rules/rule-set';
import { finalizersOf } from '../rules/service-json';
import { FINALIZER_KINDS } from './finalizer-kinds.facts';

function kindOf(finalizer: unknown): string | undefined {
  return FINALIZER_KINDS.find(([known]) =>
    known.endsWith('/') ? String(finalizer).startsWith(known) : finalizer === known,
  )?.[1];
}

const FINALIZER_OF_ANOTHER_KIND: Rule<ObjectContext> = {
  id: 'finalizer-of-another-kind',
  severity: 'error',
  who: 'kubernetes',
  says: 'a finalizer of a load balancer controller is on objects of the kind from which it removes it',
  source: lbcFile('pkg/shared_constants/finalizers.go'),
  on: ['metadata.finalizers'],
  judge: (object: Json) =>
    finalizersOf(object).flatMap((finalizer, i) => {
      const kind = kindOf(finalizer);
      return kind === undefined || kind === object.kind
        ? []
        : [
            {
              what: `finalizer ${finalizer} is removed from objects of kind ${kind} alone, so a deleted ${object.kind} hangs for ever`,
              remedy: 'take it out; the controller of this object adds its own',
              value: finalizer,
              at: `/metadata/finalizers/${i}`,
            },
          ];
    }),
};

/** What finalizers of any object are asked. */
export const FINALIZER_KIND_RULE_SET = new RuleSet<ObjectContext>([FINALIZER_OF_ANOTHER_KIND]);
