import type { Json } from '../../contract/json';
import {
  BalancerChoice,
  type BalancerLimit,
  BalancerTarget,
  ClientAddressMeans,
  type MadeBalancer,
} from '../../contract/made-balancer';
import { LoadBalancerScheme, PortProtocol } from '../../contract/options';
import { portsOf } from '../../rules/service-json';
import { clientAddressByPorts } from '../shared/made';
import { RULES_PER_SECURITY_GROUP, SECURITY_GROUP_QUOTAS } from './facts';
import { NLB_AFTER_FAILED_CHECK, NLB_AFTER_REMOVAL } from './notices.facts';
import { CLASSIC_LIMITS, CLASSIC_QUOTAS, NLB_LIMITS, NLB_QUOTAS } from './quotas.facts';
import { keepsClient, type NlbClients } from './reading';
import { rulesOfGroup } from './rules';

// The balancers of AWS, alike for all controllers that make them.

type Known = Pick<
  MadeBalancer,
  'listeners' | 'zones' | 'healthCheck' | 'nodeLabels' | 'crossZone' | 'source' | 'confidence'
> & {
  readonly scheme: LoadBalancerScheme | undefined;
  /** The security group whose rules the controller writes. */
  readonly group?: BalancerLimit;
};

/** What a controller knows of a Network Load Balancer. */
export interface KnownNlb extends Known {
  readonly clients: NlbClients;
  /** Labels of a Namespace whose pods wait for the balancer, where pods are its targets. */
  readonly gates?: Readonly<Record<string, string>>;
  /**
   * The way out where the target group of a port ends connections to a node whose check fails, which AWS does unless an attribute
   * says otherwise. AWS Elastic Load Balancing User Guide, 2026-11-21: network/edit-target-group-attributes.html
   */
  endsHeld?(port: Json): string | undefined;
  /** Whether the targets of a port get the header of the PROXY protocol. */
  hasHeader(port: Json): boolean;
}

/** A Network Load Balancer: it stands in zones with one address each, and has a target group for each listener. */
export function madeNlb(service: Json, nlb: KnownNlb): MadeBalancer {
  const { clients, hasHeader, group, gates, endsHeld: endsHeldOf, ...known } = nlb;
  const connected = portsOf(service).filter(({ protocol }) => protocol !== PortProtocol.UDP);
  const [endsHeld] = connected.flatMap((port) => endsHeldOf?.(port) ?? []);
  return {
    product: 'aws/nlb',
    name: 'Network Load Balancer',
    target: clients.toPods ? BalancerTarget.POD : BalancerTarget.NODE_PORT,
    choice: BalancerChoice.EVEN,
    ...clientAddressByPorts(service, (port) => {
      if (hasHeader(port)) {
        return ClientAddressMeans.PROXY_PROTOCOL;
      }
      return keepsClient(port, clients) ? ClientAddressMeans.SOURCE : ClientAddressMeans.NONE;
    }),
    notices: clients.toPods
      ? { afterRemoval: NLB_AFTER_REMOVAL, ...(gates ? { gates } : {}) }
      : { afterFailedCheck: NLB_AFTER_FAILED_CHECK, ...(endsHeld === undefined ? {} : { endsHeld }) },
    publicAddresses: addressPerZone(known.scheme),
    limits: [...limitsOfNlb(known.listeners, known.crossZone), ...(group ? [group] : [])],
    ...known,
  };
}

function limitsOfNlb(listeners: number, crossZone: boolean | undefined): BalancerLimit[] {
  const source = NLB_QUOTAS;
  const targets = { counts: 'targets', each: Math.max(listeners, 1), source } as const;
  const across: BalancerLimit = {
    ...targets,
    name: 'Targets per Network Load Balancer with cross-zone load balancing',
    limit: NLB_LIMITS.targetsAcrossZones,
  };
  const inZones: BalancerLimit[] = [
    {
      ...targets,
      name: 'Targets per Availability Zone per Network Load Balancer',
      limit: NLB_LIMITS.targetsInZone,
      scope: 'zone',
    },
    { ...targets, name: 'Targets per Network Load Balancer', limit: NLB_LIMITS.targets },
  ];
  return [
    {
      counts: 'listeners',
      name: 'Listeners per Network Load Balancer',
      limit: NLB_LIMITS.listeners,
      used: listeners,
      source,
    },
    { counts: 'targets', name: 'Targets per Target Group', limit: NLB_LIMITS.targetsOfGroup, source },
    ...(crossZone ? [across] : inZones),
  ];
}

export interface KnownClassic extends Known {
  readonly header: boolean;
}

/** A Classic Load Balancer: it ends connections and makes new ones, with instances as targets. */
export function madeClassic({ header, group, ...known }: KnownClassic): MadeBalancer {
  const source = CLASSIC_QUOTAS;
  const { listeners } = known;
  return {
    product: 'aws/clb',
    name: 'Classic Load Balancer',
    target: BalancerTarget.NODE_PORT,
    choice: BalancerChoice.EVEN,
    clientAddress: header ? ClientAddressMeans.PROXY_PROTOCOL : ClientAddressMeans.NONE,
    publicAddresses: addressPerZone(known.scheme),
    limits: [
      {
        counts: 'listeners',
        name: 'Listeners per Classic Load Balancer',
        limit: CLASSIC_LIMITS.listeners,
        used: listeners,
        source,
      },
      {
        counts: 'targets',
        name: 'Registered Instances per Classic Load Balancer',
        limit: CLASSIC_LIMITS.instances,
        source,
      },
      ...(group ? [group] : []),
    ],
    ...known,
  };
}

function addressPerZone(scheme: LoadBalancerScheme | undefined): MadeBalancer['publicAddresses'] {
  return { count: scheme === LoadBalancerScheme.INTERNET_FACING ? 1 : 0, perZone: true };
}

/** The rules of a security group that has one for each port and source. */
export function groupOfRules(
  ports: number,
  sources: readonly string[],
  of: 'the balancer' | 'the nodes' = 'the balancer',
): BalancerLimit {
  return {
    counts: 'rules',
    name: `Inbound rules of the security group of ${of}`,
    limit: RULES_PER_SECURITY_GROUP,
    used: rulesOfGroup(ports, sources),
    ...(of === 'the nodes' ? { scope: 'cluster' as const } : {}),
    source: SECURITY_GROUP_QUOTAS,
  };
}

/** In how many zones a balancer stands, by the first of some lists that name its subnets, or addresses in them. */
export function zonesBy(...lists: readonly (readonly string[] | undefined)[]): number | undefined {
  return lists.find((list) => list !== undefined && list.length > 0)?.length;
}
