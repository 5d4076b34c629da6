import { isMap, type Json, mapIn } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { shown } from '../../contract/printable';
import { type DescribedNote, findingOf } from '../../contract/rule';
import { AWS_LBC_CONTROLLER } from '../../controllers/aws-load-balancer-controller/annotations';
import {
  AUTO_MODE_BINDING_API_VERSION,
  TARGET_GROUP_BINDING_API_VERSION,
} from '../../controllers/aws-load-balancer-controller/kinds.facts';
import { lacksNodePorts } from '../../controllers/aws-load-balancer-controller/reading';
import { EKS_AUTO_MODE, EKS_SOURCE } from '../../controllers/eks-auto-mode/annotations';
import { definitionOf as definitionOfController } from '../../rules/controller-definition';
import { groupOf } from '../../rules/objects';
import type { Rule } from '../../rules/rule';
import type { ObjectContext } from '../../rules/rule-context';
import { RULES } from './rules.facts';
import { BINDING_STACK_LABELS, INGRESS_GROUP } from './written.facts';

const BINDING_GROUP = groupOf({ apiVersion: TARGET_GROUP_BINDING_API_VERSION });

function stackLabelOf({ metadata }: Json): string | undefined {
  const labels: unknown = metadata?.labels;
  return isMap(labels) ? BINDING_STACK_LABELS.find((label) => label in labels) : undefined;
}

export const WRITTEN_BINDING_RULES: readonly Rule<ObjectContext>[] = [
  {
    ...RULES['binding-unserved'],
    judge(binding, { controllers }) {
      const isKnown = controllers?.every((one) => definitionOfController(one) !== undefined);
      const isServed = controllers?.some(({ name }) => name === AWS_LBC_CONTROLLER);
      return groupOf(binding) === BINDING_GROUP && isKnown && !isServed
        ? {
            what: `no controller that runs here serves API group ${BINDING_GROUP}, so targets are never registered`,
            remedy: `install ${AWS_LBC_CONTROLLER}, or with ${EKS_AUTO_MODE} write the binding of ${AUTO_MODE_BINDING_API_VERSION}`,
            value: String(binding.apiVersion),
            at: '/apiVersion',
          }
        : undefined;
    },
  },
  {
    ...RULES['binding-without-node-ports'],
    judge({ spec }, { among }) {
      const { name } = mapIn(spec, 'serviceRef');
      const service = among?.index.nearest(among, '', 'Service', { namespace: among.namespace, name });
      return service && spec?.targetType === 'instance' && lacksNodePorts(service.json)
        ? {
            what: `no target is registered: the targets are instances, and Service ${name} is of type ${mapIn(service.json, 'spec').type ?? 'ClusterIP'}, which has no node port`,
            remedy: 'make the Service one of type NodePort, or bind a target group of type ip',
            value: 'instance',
            at: '/spec/targetType',
          }
        : undefined;
    },
  },
  {
    ...RULES['binding-copied'],
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
    ...RULES['binding-without-networking'],
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
    ...RULES['binding-old-version'],
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

export const AUTO_MODE_KIND_UNREAD: DescribedNote = {
  id: 'auto-mode-kind-unread',
  who: EKS_AUTO_MODE,
  severity: 'note',
  says: 'kind of EKS Auto Mode that is not checked',
  source: EKS_SOURCE,
};

/** Kinds of EKS Auto Mode that have to do with balancers, of which only what the older kinds have as well is validated. */
export function unreadAutoModeKind({ apiVersion, kind }: Json): LoadBalancerFinding[] {
  if (
    groupOf({ apiVersion }) !== groupOf({ apiVersion: AUTO_MODE_BINDING_API_VERSION }) ||
    !AUTO_MODE_KINDS.includes(kind)
  ) {
    return [];
  }
  const finding = {
    what: `the fields of ${kind} of ${shown(apiVersion)} are not looked into: no definition of it is known here`,
    remedy: 'apply it with --dry-run=server, which the API server validates',
    value: String(apiVersion),
    at: '/apiVersion',
  };
  return [findingOf(AUTO_MODE_KIND_UNREAD, finding, EKS_AUTO_MODE)];
}

const AUTO_MODE_KINDS: readonly unknown[] = ['TargetGroupBinding', 'IngressClassParams'];
