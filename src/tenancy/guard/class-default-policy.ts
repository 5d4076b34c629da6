import type { Json } from '../../contract/json';
import { celText } from './cel';

/** What Services get. */
export interface ClassDefaults {
  readonly loadBalancerClass: string;
  readonly label: string;
  readonly nodePorts: boolean;
}

/** The fields that policies of the API server and of Kyverno have in common. */
export function classDefaultSpec({ loadBalancerClass, label, nodePorts }: ClassDefaults): Json {
  const ours = celText(loadBalancerClass);
  const key = celText(label);
  return {
    failurePolicy: 'Fail',
    reinvocationPolicy: 'IfNeeded',
    matchConditions: [{ name: 'load-balancers', expression: "object.spec.?type.orValue('') == 'LoadBalancer'" }],
    variables: [
      { name: 'named', expression: "object.spec.?loadBalancerClass.orValue('')" },
      // an old object that is there and empty is none: Kyverno has one on creation
      {
        name: 'wasLb',
        expression: "oldObject != null && oldObject.?spec.?type.orValue('') == 'LoadBalancer'",
      },
      // '' is that of a live Service without a class, which nobody can give it one
      {
        name: 'cls',
        expression: `variables.named != '' ? variables.named : variables.wasLb ? oldObject.spec.?loadBalancerClass.orValue('') : ${ours}`,
      },
      // node ports that a live Service has are not taken back: whoever only labels or releases it changes nothing that is judged
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
                  `(variables.ours && !variables.hadNodePorts && object.spec.?allocateLoadBalancerNodePorts.orValue(true) ? [JSONPatch{op: 'add', path: '/spec/allocateLoadBalancerNodePorts', value: false}] : [])`,
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
