import { isMap, type Json } from '../../contract/json';
import { shown } from '../../contract/printable';
import {
  BINDING_VALIDATOR,
  definitionOf,
  TARGET_GROUP_BINDING_API_VERSION,
} from '../../controllers/aws-load-balancer-controller/kinds.facts';
import { groupOf } from '../../rules/objects';
import type { Rule } from '../../rules/rule';
import type { ObjectContext } from '../../rules/rule-context';
import { BINDING_STACK_LABELS, INGRESS_GROUP } from './spellings.facts';

const DEFINITION = definitionOf('bases/elbv2.k8s.aws_targetgroupbindings.yaml');

/** The label by which the controller marks a binding that it made. */
function stackLabelOf({ metadata }: Json): string | undefined {
  const labels: unknown = metadata?.labels;
  return isMap(labels) ? BINDING_STACK_LABELS.find((label) => label in labels) : undefined;
}

/** What people write in TargetGroupBindings, which is taken and surprises. */
export const WRITTEN_BINDING_RULES: readonly Rule<ObjectContext>[] = [
  {
    id: 'binding-copied',
    severity: 'warning',
    says: 'a binding that its controller made for an Ingress or Service is not applied by hand',
    source: { ...BINDING_VALIDATOR, file: 'pkg/deploy/elbv2/target_group_binding_manager.go' },
    on: ['metadata.labels'],
    judge(binding, { among }) {
      const label = stackLabelOf(binding);
      // a dump of a cluster has what the controller made it for
      const owners = among ? [...among.index.of(INGRESS_GROUP, 'Ingress'), ...among.index.of('', 'Service')] : [];
      return label !== undefined && owners.length === 0
        ? {
            what: `label ${label} says that the controller made the binding, for ${shown(binding.metadata.labels[label])}: a copy of it fights with the controller, or hangs in deletion where that is missing`,
            remedy:
              'leave the binding to the controller, or write one with a name of your own, and with nothing but its spec',
            value: label,
            at: `/metadata/labels/${label.replaceAll('/', '~1')}`,
          }
        : undefined;
    },
  },
  {
    id: 'binding-without-networking',
    severity: 'warning',
    says: 'a binding says which security groups may reach its targets',
    source: DEFINITION,
    on: ['spec.targetGroupARN', 'spec.targetGroupName'],
    judge: (binding) =>
      groupOf(binding) === groupOf({ apiVersion: TARGET_GROUP_BINDING_API_VERSION }) &&
      binding.spec?.networking === undefined &&
      stackLabelOf(binding) === undefined
        ? {
            what: 'the binding has no networking, so the controller opens no port, and targets are unhealthy unless security groups already admit the balancer',
            remedy:
              'write networking.ingress with the security group of the balancer, or open the ports where the groups are made',
            at: '/spec',
          }
        : undefined,
  },
  {
    id: 'binding-old-version',
    severity: 'warning',
    says: `a binding has the API version that is stored, ${TARGET_GROUP_BINDING_API_VERSION}`,
    source: DEFINITION,
    judge: ({ apiVersion }) =>
      groupOf({ apiVersion }) === groupOf({ apiVersion: TARGET_GROUP_BINDING_API_VERSION }) &&
      apiVersion !== TARGET_GROUP_BINDING_API_VERSION
        ? {
            what: `apiVersion ${shown(apiVersion)} is not the one that is stored, and has fewer fields`,
            remedy: `write ${TARGET_GROUP_BINDING_API_VERSION}`,
            value: String(apiVersion),
            at: '/apiVersion',
          }
        : undefined,
  },
];
