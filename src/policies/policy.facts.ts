import type { OnEdit } from '../contract/edit';
import type { Json } from '../contract/json';
import type { LoadBalancerScheme } from '../contract/load-balancer-scheme';
import { knownKinds } from '../rules/controller-definition';
import type { ServiceField } from '../rules/service-edits.facts';

// Lists that admission policies read. All of them come from the definitions of controllers and their tables of edits.

/** The annotation with which one object is left out of the keeper: `off: ` and a reason. */
export const KEEPER_ANNOTATION = 'cdk8s-load-balancers/keeper';

/** The label of a policy that keeps finalizers and classes; its value says of which Services. */
export const KEEPER_LABEL = 'cdk8s-load-balancers/keeps';

/** The label of namespaces that must not be deleted. */
export const LOCKED_LABEL = 'cdk8s-load-balancers/locked';

/** Outcomes of edits that take a load balancer, or its address, from its Service. */
const LOSSES: readonly OnEdit[] = ['orphans', 'deleted', 'replaced'];

/** The finalizers that known controllers add to Services. */
export function serviceFinalizers(): string[] {
  return distinct(
    knownKinds().flatMap(({ finalizers, untouchableFinalizers = [] }) => [...finalizers, ...untouchableFinalizers]),
  );
}

/** Finalizers of Gateways. kubernetes-sigs/aws-load-balancer-controller v3.5.0: pkg/shared_constants/finalizers.go */
export const GATEWAY_FINALIZERS = { nlb: 'gateway.k8s.aws/nlb', alb: 'gateway.k8s.aws/alb' } as const;

/** The finalizer of a TargetGroupBinding. kubernetes-sigs/aws-load-balancer-controller v3.5.0: pkg/shared_constants/finalizers.go */
export const BINDING_FINALIZER = 'elbv2.k8s.aws/resources';

/** Resources beside Services that a load balancer or its targets are made of. */
const KEPT_RESOURCES: readonly (readonly [group: string, resources: readonly string[]])[] = [
  ['gateway.networking.k8s.io', ['gateways', 'listenersets']],
  ['elbv2.k8s.aws', ['targetgroupbindings']],
];

/** The resources beside Services that are kept, by API group. */
export function keptResources(): typeof KEPT_RESOURCES {
  return KEPT_RESOURCES;
}

/** The finalizers that known controllers add to them. */
export function resourceFinalizers(): string[] {
  return distinct([BINDING_FINALIZER, ...Object.values(GATEWAY_FINALIZERS)]);
}

/** The annotations of which an edit has one of these outcomes at worst, by outcome. */
export function losingAnnotations(outcome: OnEdit): string[] {
  return distinct(
    knownKinds().flatMap(({ annotationEdits = new Map() }) =>
      [...annotationEdits].flatMap(([key, { onEdit }]) => (onEdit === outcome ? [key] : [])),
    ),
  );
}

/** The annotations by which a controller finds its load balancer, or whose edit replaces it. */
export function lookupAnnotations(): string[] {
  return distinct(LOSSES.flatMap(losingAnnotations));
}

/** The fields of a Service of which an edit loses the load balancer with at least one controller. */
export function losingFields(): ServiceField[] {
  const fields = knownKinds().flatMap(({ fieldEdits = {} }) =>
    Object.entries(fieldEdits).flatMap(([field, { onEdit }]) => (LOSSES.includes(onEdit) ? [field] : [])),
  );
  return distinct(fields) as ServiceField[];
}

/** The keys by which Services share an address: with them more edits replace it. */
export function sharingAnnotations(): string[] {
  return losingAnnotations('replaced').filter((key) => key.endsWith('/allow-shared-ip'));
}

/** The finalizers of each class that a known controller serves, as `class=finalizer`; a class without one is `class=`. */
export function finalizersOfClasses(): string[] {
  return distinct(
    knownKinds().flatMap(({ classes, finalizers, untouchableFinalizers = [] }) =>
      classes.flatMap((one) => [...finalizers, ...untouchableFinalizers, ''].map((finalizer) => `${one}=${finalizer}`)),
    ),
  );
}

/** Values with which annotations of known controllers choose a scheme. */
const SCHEME_VALUES = ['true', 'internal', 'Internal', 'internet-facing', 'External'];

/** Settings, as `key=value`, with which a Service gets a load balancer of a scheme that it does not get without them. */
export function schemeSettings(scheme: LoadBalancerScheme): string[] {
  return distinct(
    knownKinds().flatMap((kind) =>
      [undefined, ...kind.classes].flatMap((loadBalancerClass) => {
        const schemeWith = (annotations: Json) =>
          kind.schemeOf({
            apiVersion: 'v1',
            kind: 'Service',
            metadata: { annotations },
            spec: { type: 'LoadBalancer', ...(loadBalancerClass && { loadBalancerClass }) },
          }).scheme;
        const keys = schemeWith({}) === scheme ? [] : kind.catalogue.annotations.map(({ fact }) => fact.key);
        return keys.flatMap((key) =>
          SCHEME_VALUES.filter((value) => schemeWith({ [key]: value }) === scheme).map((value) => `${key}=${value}`),
        );
      }),
    ),
  );
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}

/** How a change of each field is seen. Fields of which the API server refuses a change itself, or that are validated above, have no row. */
export const LOCKED_FIELDS: Readonly<Partial<Record<ServiceField, 'always' | 'sharing'>>> = {
  'spec.loadBalancerIP': 'always',
  'spec.ipFamilyPolicy': 'always',
  'spec.selector': 'sharing',
  'spec.externalTrafficPolicy': 'sharing',
};
