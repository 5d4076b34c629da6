import type { Outcome } from '../contract/edit';
import type { Json } from '../contract/json';
import type { LoadBalancerScheme } from '../contract/options';
import { knownKinds } from '../rules/known-kinds';

// Lists that admission policies read. All of them come from the definitions of controllers and their tables of edits.

/** The annotation with which one object is left out of the keeper: `off: ` and a reason. */
export const KEEPER_ANNOTATION = 'cdk8s-load-balancers/keeper';

/** The label of a policy that keeps finalizers and classes; its value says of which Services. */
export const KEEPER_LABEL = 'cdk8s-load-balancers/keeps';

/** The label of namespaces that must not be deleted. */
export const LOCKED_LABEL = 'cdk8s-load-balancers/locked';

/** Finalizers of Gateways. kubernetes-sigs/aws-load-balancer-controller v3.5.0: pkg/shared_constants/finalizers.go */
export const GATEWAY_FINALIZERS = { nlb: 'gateway.k8s.aws/nlb', alb: 'gateway.k8s.aws/alb' } as const;

/** The finalizer of a TargetGroupBinding. kubernetes-sigs/aws-load-balancer-controller v3.5.0: pkg/shared_constants/finalizers.go */
export const BINDING_FINALIZER = 'elbv2.k8s.aws/resources';

export const KEPT_RESOURCES: readonly (readonly [group: string, resources: readonly string[]])[] = [
  ['gateway.networking.k8s.io', ['gateways', 'listenersets']],
  ['elbv2.k8s.aws', ['targetgroupbindings']],
];

export const RESOURCE_FINALIZERS = [BINDING_FINALIZER, ...Object.values(GATEWAY_FINALIZERS)].sort();

export function serviceFinalizers(): string[] {
  return distinct(
    knownKinds().flatMap(({ finalizers, untouchableFinalizers = [] }) => [...finalizers, ...untouchableFinalizers]),
  );
}

/** The finalizers of each class that a known controller serves, as `class=finalizer`, and `class=` for the class itself. */
export function finalizersOfClasses(): string[] {
  return distinct(
    knownKinds().flatMap(({ classes, finalizers, untouchableFinalizers = [] }) =>
      classes.flatMap((one) => [...finalizers, ...untouchableFinalizers, ''].map((finalizer) => `${one}=${finalizer}`)),
    ),
  );
}

export function losingAnnotations(...outcomes: readonly Outcome[]): string[] {
  const edits = knownKinds().flatMap(({ annotationEdits = new Map() }) => [...annotationEdits]);
  return distinct(edits.filter(([, { outcome }]) => outcomes.includes(outcome)).map(([key]) => key));
}

/**
 * Fields of `spec` of which an edit can replace the address, with at least one controller: always, or of an address that Services share.
 * Those of which the API server refuses a change, or that a lock looks at by themselves, are not here.
 */
export const LOCKED_FIELDS = [
  ['loadBalancerIP', 'always'],
  ['ipFamilyPolicy', 'always'],
  ['selector', 'sharing'],
  ['externalTrafficPolicy', 'sharing'],
] as const;

const SCHEME_VALUES = ['true', 'internal', 'Internal', 'internet-facing', 'External'];

/** Settings, as `key=value`, with which a Service gets a load balancer of a scheme that it does not get without them. */
export function schemeSettings(scheme: LoadBalancerScheme): string[] {
  return distinct(
    knownKinds().flatMap(({ classes, catalogue, schemeOf }) =>
      [undefined, ...classes].flatMap((loadBalancerClass) => {
        const spec = { type: 'LoadBalancer', ...(loadBalancerClass && { loadBalancerClass }) };
        const has = (annotations: Json) =>
          schemeOf({ apiVersion: 'v1', kind: 'Service', metadata: { annotations }, spec }).scheme === scheme;
        const settings = catalogue.annotations.flatMap(({ fact: { key } }) =>
          SCHEME_VALUES.filter((value) => has({ [key]: value })).map((value) => `${key}=${value}`),
        );
        return has({}) ? [] : settings;
      }),
    ),
  );
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)].sort();
