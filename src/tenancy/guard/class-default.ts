import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import { KubernetesVersion } from '../../contract/kubernetes-version';
import { type Fault, refuse, refuseFirst } from '../fault';
import { celText, constraints, inNamespaces } from './admission';
import { clusterObject } from './cluster-object';
import { ADMISSION_API_VERSION, MUTATING_POLICIES_SINCE } from './guard.facts';
import type { NamespaceRequirement } from './load-balancer-class-default';
import { classFault } from './prop-faults';
import { CLASS_DEFAULT_KUBERNETES, CLASS_DEFAULT_WEBHOOK } from './rules';

/** A class that Services are to get. */
interface ClassDefaultAsk {
  readonly name: string;
  readonly namespaceLabels: { readonly [key: string]: string };
  readonly namespaceSelector: Json;
  readonly loadBalancerClass: string;
  /** What policies of the API server and of others have in common. */
  readonly spec: Json;
  /** True for Services that may lack what they are to get. */
  readonly lacks: string;
}

/** What gives Services their class. */
interface ClassDefaultMade {
  readonly policy?: ApiObject;
  readonly webhookNamespaceSelector?: NamespaceRequirement[];
}

/** Gives Services their class. */
export type ClassDefaultWay = (host: Construct, ask: ClassDefaultAsk) => ClassDefaultMade;

const WAYS = new WeakMap<object, ClassDefaultWay>();

/** Keeps the way of a mechanism, of which users of other languages see nothing. */
export function keepWay(way: ClassDefaultWay, mechanism: object): void {
  WAYS.set(mechanism, way);
}

/** The way of a mechanism. */
export function wayOf(mechanism: object): ClassDefaultWay {
  return WAYS.get(mechanism) as ClassDefaultWay;
}

/** By the API server itself. */
export const byApiServer: ClassDefaultWay = (host, { name, namespaceSelector, spec, lacks }) => {
  const policy = clusterObject(host, 'Policy', {
    apiVersion: ADMISSION_API_VERSION,
    kind: 'MutatingAdmissionPolicy',
    name,
    content: {
      spec: {
        ...spec,
        matchConstraints: constraints(SERVICE_WRITES.resourceRules),
        // to change nothing costs as much as to change something
        matchConditions: [{ name: 'load-balancers-that-lack-something', expression: lacks }],
      },
    },
  });
  clusterObject(host, 'PolicyBinding', {
    apiVersion: ADMISSION_API_VERSION,
    kind: 'MutatingAdmissionPolicyBinding',
    name,
    content: { spec: { policyName: name, matchResources: inNamespaces(namespaceSelector) } },
  });
  return { policy };
};

/** An API server that is too old for a mechanism. */
export function tooOldFault(mechanism: object, kubernetes: KubernetesVersion, remedy: string): Fault | undefined {
  return wayOf(mechanism) !== byApiServer || kubernetes.isAtLeast(KubernetesVersion.of(MUTATING_POLICIES_SINCE))
    ? undefined
    : {
        rule: CLASS_DEFAULT_KUBERNETES,
        what: `Kubernetes ${kubernetes.version} has no MutatingAdmissionPolicy v1, which comes with ${MUTATING_POLICIES_SINCE}`,
        remedy: `set kubernetes if the cluster is newer, or ${remedy}`,
      };
}

/**
 * By the webhook of a controller, which knows one class.
 *
 * @param webhookClass the class that it gives
 */
export function byWebhook(webhookClass: string): ClassDefaultWay {
  return (host, { namespaceLabels, loadBalancerClass }) => {
    refuseFirst(host, [classFault(webhookClass)]);
    const labels = Object.entries(namespaceLabels);
    if (webhookClass === loadBalancerClass) {
      const selected = labels.map(([key, value]) => ({ key, relation: 'In', values: [value] }));
      return { webhookNamespaceSelector: selected };
    }
    const webhookNamespaceSelector = leavingOut(namespaceLabels);
    if (webhookNamespaceSelector === undefined) {
      refuse(host, {
        rule: CLASS_DEFAULT_WEBHOOK,
        what: `namespaceLabels has ${labels.length} labels, and no selector leaves out just the namespaces that have all of them`,
        remedy: 'use one label for the namespaces of tenants',
      });
    }
    return { webhookNamespaceSelector };
  };
}

/** What selects all namespaces but those with a label; nothing where there are several, since no selector leaves out just these. */
export function leavingOut(namespaceLabels: { readonly [key: string]: string }): NamespaceRequirement[] | undefined {
  const [[key, value], ...others] = Object.entries(namespaceLabels);
  return others.length > 0 ? undefined : [{ key, relation: 'NotIn', values: [value] }];
}

/** What Services get. */
interface ClassDefaults {
  readonly loadBalancerClass: string;
  readonly label: string;
  readonly nodePorts: boolean;
}

/** True for Services of type LoadBalancer that may lack what they are to get: the others stay as they are. */
export function lacksDefaults({ loadBalancerClass, label, nodePorts }: ClassDefaults): string {
  const named = "object.spec.?loadBalancerClass.orValue('')";
  const lacks = [
    `object.metadata.?labels.orValue({})[?${celText(label)}].orValue('') != 'true'`,
    ...(nodePorts ? [] : ['object.spec.?allocateLoadBalancerNodePorts.orValue(true)']),
  ];
  return `${IS_BALANCED} && ${named} in ['', ${celText(loadBalancerClass)}] && (${[...lacks, `${named} == ''`].join(' || ')})`;
}

const IS_BALANCED = "object.spec.?type.orValue('') == 'LoadBalancer'";

/** The fields that policies of the API server and of Kyverno have in common. */
export function classDefaultSpec({ loadBalancerClass, label, nodePorts }: ClassDefaults): Json {
  const ours = celText(loadBalancerClass);
  const key = celText(label);
  return {
    failurePolicy: 'Fail',
    reinvocationPolicy: 'IfNeeded',
    matchConditions: [{ name: 'load-balancers', expression: IS_BALANCED }],
    variables: [
      { name: 'named', expression: "object.spec.?loadBalancerClass.orValue('')" },
      // an old object that is there and empty is none: Kyverno has one on creation
      {
        name: 'wasLb',
        expression: "oldObject != null && oldObject.?spec.?type.orValue('') == 'LoadBalancer'",
      },
      // '' is that of a live Service without a class, which the API server lets no one give it
      {
        name: 'cls',
        expression: `variables.named != '' ? variables.named : variables.wasLb ? oldObject.spec.?loadBalancerClass.orValue('') : ${ours}`,
      },
      // node ports that a live Service has are not taken back: labelling or releasing it changes nothing that is checked
      {
        name: 'hadNodePorts',
        expression: 'variables.wasLb && oldObject.spec.?allocateLoadBalancerNodePorts.orValue(true)',
      },
      { name: 'ours', expression: `variables.cls == ${ours}` },
      { name: 'labels', expression: 'object.metadata.?labels.orValue({})' },
    ],
    mutations: [
      {
        patchType: 'JSONPatch',
        jsonPatch: {
          expression: [
            `(variables.named == '' && variables.cls != '' ? [JSONPatch{op: 'add', path: '/spec/loadBalancerClass', value: variables.cls}] : [])`,
            ...(nodePorts
              ? []
              : [
                  `(object.spec.?allocateLoadBalancerNodePorts.orValue(true) && variables.ours && !variables.hadNodePorts ? [JSONPatch{op: 'add', path: '/spec/allocateLoadBalancerNodePorts', value: false}] : [])`,
                ]),
            `(!variables.ours || variables.labels[?${key}].orValue('') == 'true' ? [] : size(variables.labels) > 0 ? [JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey(${key}), value: 'true'}] : [JSONPatch{op: 'add', path: '/metadata/labels', value: {${key}: 'true'}}])`,
          ].join('\n+ '),
        },
      },
    ],
  };
}

/** Services, when they are written. */
export const SERVICE_WRITES: Json = {
  resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['services'] }],
};
