import type { DescribedRule } from '../../contract/rule';
import { CCM_SOURCES } from './installation.facts';

const SAYS = {
  'cloud-controller-routes': 'the controller of routes has the ranges of pods: one, or one of each family',
  'cloud-controller-number': 'numbers of an installation are whole and large enough',
  'cloud-controller-image': 'version and image of an installation are valid',
  'cloud-controller-name': 'the name of an installation is one that Kubernetes accepts',
  'cloud-controller-list': 'controllers that run are each named once',
  'cloud-controller-flag': 'a flag is one that the program knows, and has no prop',
  'cloud-config-id': 'ids in a cloud config are ids of AWS',
  'cloud-config-network': 'network, subnet and route table of a cloud config are named together',
  'cloud-config-health-check': 'the shared health check has a port and a path',
  'cloud-config-region': 'the region of a cloud config is a region of AWS',
  'cloud-config-endpoint': 'each service of AWS has one endpoint, with a URL and regions',
  'cloud-config-version': 'options of a cloud config are known to the version that is installed',
  'cloud-config-line': 'values of a cloud config have one line',
  'cloud-config-families': 'each IP family of nodes is named once',
  'cloud-config-source': 'a source ARN is for a role that is named',
} as const;

/** The rules that props are refused by, before there are objects. */
export type PropRule = keyof typeof SAYS;

/** What the program reads from its cloud config was read in upstream's own file; the rest is what this construct writes. */
export const PROP_RULES = Object.fromEntries(
  (Object.keys(SAYS) as PropRule[]).map((id) => [
    id,
    { id, severity: 'error', says: SAYS[id], source: id.startsWith('cloud-config-') ? CCM_SOURCES.config : 'ours' },
  ]),
) as Readonly<Record<PropRule, DescribedRule>>;
