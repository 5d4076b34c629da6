import type { Json } from '../../contract/json';
import { otherOfClass } from '../../controllers/other-controller';
import { expectedFinalizers } from '../../rules/added-finalizers';
import { knownKinds } from '../../rules/controller-definition';
import { rulesWhere } from './described-rules';
import { type Explanation, known, PAGES } from './explanation';
import { CLASS_IS_FIXED, OTHER_CLASSES } from './known-words.facts';
import { cited } from './sources';

/** What is known of a load balancer class. */
export function explainClass(name: string): Explanation | undefined {
  const kinds = knownKinds().filter(({ classes }) => classes.includes(name));
  const other = OTHER_CLASSES.some((one) => one.name === name) ? undefined : otherOfClass(name);
  const others = other
    ? [{ who: other.name, says: `a balancer of ${other.name}, whose rules are not known here`, source: other.source }]
    : OTHER_CLASSES.filter((one) => one.name === name);
  if (kinds.length + others.length === 0) {
    return undefined;
  }
  const rules = rulesWhere(
    ({ id, section }) => ABOUT_CLASSES.includes(id) || kinds.some((kind) => kind.name === section && /class/.test(id)),
  );
  return {
    kind: 'class',
    word: name,
    says: `a value of spec.loadBalancerClass that ${[...kinds, ...others.map(({ who }) => ({ name: who }))].map((one) => one.name).join(', ')} serves`,
    parts: [
      ...kinds.map((kind) => ({
        who: kind.name,
        facts: known({
          makes: kind.facts.product,
          finalizer: expectedFinalizers(serviceOf(name), kind).join(' or ') || 'none',
          'without this class': kind.classlessOption && `serves Services by annotation too: ${kind.classlessOption}`,
          note: kind.facts.remark,
        }),
        source: cited(kind.facts.source, kind.facts.confidence),
      })),
      ...others.map(({ who, says, source }) => ({ who, facts: { 'what it does': says }, source: cited(source) })),
      {
        who: 'the API server',
        facts: {
          change: 'is refused on a live Service: make the Service anew, or a second one',
          'a class that no controller serves': 'is accepted, and the Service stays pending without an event',
        },
        source: cited(CLASS_IS_FIXED),
      },
    ],
    rules,
    todo: ['set it when the Service is created', 'see that a controller that serves it runs in the cluster'],
    readOn: [PAGES.controllers, PAGES.handOver, PAGES.pending],
  };
}

/** The least that a Service of a class has. */
function serviceOf(loadBalancerClass: string): Json {
  return { spec: { type: 'LoadBalancer', loadBalancerClass } };
}

/** The rules that say who takes a Service. */
const ABOUT_CLASSES = [
  'claimed-by-owner',
  'unclaimed',
  'contested',
  'class-on-type',
  'class-syntax',
  'class-on-live-service',
  'class-not-served',
  'allowed-class',
];
