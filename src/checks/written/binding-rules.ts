import { isMap, type Json, mapIn, shown } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/options';
import type { DescribedNote } from '../../contract/rule';
import { AWS_LBC_CONTROLLER } from '../../controllers/aws-load-balancer-controller/annotations';
import {
  AUTO_MODE_BINDING_API_VERSION,
  TARGET_GROUP_BINDING_API_VERSION,
} from '../../controllers/aws-load-balancer-controller/kinds.facts';
import { lacksNodePorts } from '../../controllers/aws-load-balancer-controller/made';
import { definitionOf as definitionOfController } from '../../rules/controller-definition';
import { groupOf } from '../../rules/objects';
import type { ObjectContext, Rule } from '../../rules/rule';
import { noteOf, ruleOf } from './messages';
import { RULES } from './rules.facts';
import { BINDING_STACK_LABELS, INGRESS_GROUP } from './written.facts';

const BINDING_GROUP = groupOf({ apiVersion: TARGET_GROUP_BINDING_API_VERSION });

function stackLabelOf({ metadata }: Json): string | undefined {
  const labels: unknown = metadata?.labels;
  return isMap(labels) ? BINDING_STACK_LABELS.find((label) => label in labels) : undefined;
}

const isOfController = ({ apiVersion }: Json): boolean => groupOf({ apiVersion }) === BINDING_GROUP;

export const WRITTEN_BINDING_RULES: readonly Rule<ObjectContext>[] = [
  ruleOf(RULES['binding-unserved'], (binding, { controllers }) => {
    const isKnown = controllers?.every((one) => definitionOfController(one) !== undefined);
    const isServed = controllers?.some(({ name }) => name === AWS_LBC_CONTROLLER);
    return (
      isOfController(binding) &&
      isKnown &&
      !isServed && {
        group: BINDING_GROUP,
        apiVersion: AUTO_MODE_BINDING_API_VERSION,
        value: String(binding.apiVersion),
        at: '/apiVersion',
      }
    );
  }),
  ruleOf(RULES['binding-without-node-ports'], ({ spec }, { among }) => {
    const { name } = mapIn(spec, 'serviceRef');
    const service = among?.index.nearest(among, '', 'Service', { namespace: among.namespace, name });
    return (
      service &&
      spec?.targetType === 'instance' &&
      lacksNodePorts(service.json) && {
        name,
        type: mapIn(service.json, 'spec').type ?? 'ClusterIP',
        value: 'instance',
        at: '/spec/targetType',
      }
    );
  }),
  ruleOf(RULES['binding-copied'], (binding, { among }) => {
    const label = stackLabelOf(binding);
    // a dump of a cluster has what the controller made it for
    const owners = among ? [...among.index.of(INGRESS_GROUP, 'Ingress'), ...among.index.of('', 'Service')] : [];
    const at = `/metadata/labels/${label?.replaceAll('/', '~1')}`;
    return (
      label !== undefined && owners.length === 0 && { stack: shown(binding.metadata.labels[label]), value: label, at }
    );
  }),
  ruleOf(
    RULES['binding-without-networking'],
    (binding) =>
      isOfController(binding) &&
      binding.spec?.networking === undefined &&
      stackLabelOf(binding) === undefined && { at: '/spec' },
  ),
  ruleOf(
    RULES['binding-old-version'],
    ({ apiVersion }) =>
      isOfController({ apiVersion }) &&
      apiVersion !== TARGET_GROUP_BINDING_API_VERSION && {
        shown: shown(apiVersion),
        stored: TARGET_GROUP_BINDING_API_VERSION,
        value: String(apiVersion),
        at: '/apiVersion',
      },
  ),
];

export const AUTO_MODE_KIND_UNREAD: DescribedNote = RULES['auto-mode-kind-unread'];

/** Kinds of EKS Auto Mode that have to do with balancers, of which only what the older kinds have as well is validated. */
export function unreadAutoModeKind({ apiVersion, kind }: Json): LoadBalancerFinding[] {
  if (
    groupOf({ apiVersion }) !== groupOf({ apiVersion: AUTO_MODE_BINDING_API_VERSION }) ||
    !AUTO_MODE_KINDS.includes(kind)
  ) {
    return [];
  }
  const mistake = { kind, shown: shown(apiVersion), value: String(apiVersion), at: '/apiVersion' };
  return [noteOf(RULES['auto-mode-kind-unread'], mistake)];
}

const AUTO_MODE_KINDS: readonly unknown[] = ['TargetGroupBinding', 'IngressClassParams'];
