import type { LoadBalancerFinding } from '../contract/options';
import type { LoadBalancerOwner } from '../controllers/load-balancer-owner';
import { operatorOf, valueAt } from '../predicted/operator-services';
import type { MadeOf } from '../predicted/predicted';
import { finalizersOf } from '../rules/service-json';
import type { CheckContext } from './context/check-context';
import { noteOf } from './written/messages';
import { RULES } from './written/rules.facts';
import { likelyKinds } from './written/service-notes';

/** A Service that an operator makes, with its owner. */
interface Made {
  readonly madeOf?: MadeOf;
  readonly owned?: { readonly service: object; readonly owner: LoadBalancerOwner };
}

/** What an operator does to the Service of a template by the way it writes. */
export function operatorFindings({ madeOf, owned }: Made, { keeper }: Pick<CheckContext, 'keeper'>) {
  const operator = madeOf && operatorOf(madeOf.object);
  const found: Record<'drops' | 'recreates', LoadBalancerFinding[]> = { drops: [], recreates: [] };
  if (!operator || !owned) {
    return found;
  }
  const { name, fixedIn, recreates, recreatesIf } = operator;
  const [kind, ...others] = likelyKinds(owned.service, { owner: owned.owner });
  const finalizers = others.length === 0 ? (kind?.finalizers ?? []) : [];
  const drops = operator.drops.includes('finalizers') || fixedIn !== undefined;
  if (drops && !keeper && kind && finalizers.length > 0 && finalizersOf(owned.service).length === 0) {
    found.drops.push(
      noteOf(RULES['operator-drops-finalizer'], {
        operator: name,
        until: fixedIn === undefined ? '' : ` before ${fixedIn}`,
        finalizers: finalizers.join(' or '),
        owner: kind.name,
        at: '/spec/type',
      }),
    );
  }
  const template = valueAt(madeOf.object, madeOf.path.join('.'));
  if (recreates !== undefined && (!recreatesIf || valueAt(template, recreatesIf.field) === recreatesIf.value)) {
    found.recreates.push(noteOf(RULES['operator-recreates-service'], { recreates, operator: name, at: '/spec/type' }));
  }
  return found;
}
