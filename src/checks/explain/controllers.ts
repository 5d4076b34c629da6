import type { ILoadBalancerController } from '../../contract/load-balancer-controller';
import { type ControllerDefinition, type ControllerIdentity, knownKinds } from '../../rules/controller-definition';
import { rulesWhere } from './described-rules';
import { type ExplainedPart, type Explanation, known, PAGES } from './explanation';
import { cited } from './sources';

export function controllerNames(): string[] {
  return knownKinds().flatMap((kind) => [
    kind.name,
    ...Object.keys(kind.variants ?? {}).map((variant) => `${kind.name}:${variant}`),
  ]);
}

/** What is known of a controller, as it is installed by default or in a variant. */
export function explainController(word: string): Explanation | undefined {
  const [name, variant] = word.split(':');
  const kind = knownKinds().find((each) => each.name === name);
  const make = variant === undefined ? kind?.installed : kind?.variants?.[variant];
  return kind && make ? explained(word, kind, make.call(kind)) : undefined;
}

function explained(word: string, kind: ControllerDefinition, controller: ILoadBalancerController): Explanation {
  const { facts, catalogue, finalizers, classes, variants = {} } = kind;
  const classless = kind.claim({ apiVersion: 'v1', kind: 'Service', spec: { type: 'LoadBalancer' } }, controller);
  return {
    kind: 'controller',
    word,
    says: `a controller that makes ${facts.product}`,
    parts: [
      {
        who: kind.name,
        facts: known({
          makes: facts.product,
          classes: classes.join(', ') || 'none: it serves Services without a class',
          'a Service without a class': `${CLAIMED[classless.claimed]}: ${classless.because}`,
          finalizer: `${finalizers.join(', ') || 'none'}${facts.finalizerNote ? ` (${facts.finalizerNote.replaceAll('**', '')})` : ''}`,
          'never to be written': kind.untouchableFinalizers?.join(', '),
          annotations: `${catalogue.annotations.length}, with prefix ${catalogue.prefixes.join(' or ') || 'of others'}`,
          'backend on a node pool': facts.nodes,
          variants: Object.keys(variants)
            .map((variant) => `${kind.name}:${variant}`)
            .join(', '),
          note: facts.remark,
        }),
        source: cited(facts.source, facts.confidence),
      },
      ...timeOf(kind),
      ...kind.identities(controller).map(identity),
    ],
    rules: rulesWhere(({ section }) => section === kind.name),
    todo: ['keep it running until the last of its Services is deleted', 'name it with --controllers where it runs'],
    readOn: [PAGES.controllers, `docs/reference/annotations/${kind.name}.md`],
  };
}

const CLAIMED = { yes: 'is taken', no: 'is left alone', maybe: 'may be taken' };

function timeOf({ provisioningTime: time }: ControllerDefinition): ExplainedPart[] {
  if (!time) {
    return [];
  }
  const waits = time.seconds === 0 ? 'at once' : `about ${time.seconds} s, ${time.concurrency} at a time`;
  return [{ who: 'how long an address takes', facts: { seconds: waits }, source: cited(time.source, time.confidence) }];
}

function identity({ kind, name, namespace, source }: ControllerIdentity): ExplainedPart {
  const account = namespace === undefined ? name : `${namespace}/${name}`;
  return { who: 'who it is to the API server', facts: { [kind]: account }, source: cited(source) };
}
