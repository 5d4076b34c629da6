import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { type Fault, reported } from '../fault';
import { sameLabels } from '../guard/namespaces';
import { balancerName, REPORTER } from './names';
import { BALANCER_IDLE, LIMITS_OPEN, LISTENERS_OPEN, TENANT_LABELS_DIFFER } from './rules';
import type { TenancyRegistry } from './tenancy-registry';

/** What works and will surprise. */
export function warningsOfTenancy(registry: TenancyRegistry): LoadBalancerFinding[] {
  const { engine } = registry.settings;
  const surprising = registry.attachments().flatMap((attachments) => engine.checks.warningsAt(attachments));
  return [
    ...reported(
      [
        ...engine.checks.warnings,
        ...surprising,
        ...idleBalancers(registry),
        ...openLimits(registry),
        ...openSets(registry),
      ],
      engine.name,
    ),
    ...reported(otherNamespaces(registry), REPORTER),
  ];
}

/** A namespace with the labels of the one and not of the other is guarded and gets no port, or the other way round. */
function otherNamespaces({ settings: { guards, namespaceLabels } }: TenancyRegistry): Fault[] {
  const all = guards();
  const text = (labels: object) =>
    Object.entries(labels)
      .map(([key, value]) => `${key}=${value}`)
      .join(', ');
  return all.length === 0 || all.some(({ labels }) => sameLabels(labels, namespaceLabels))
    ? []
    : [
        {
          rule: TENANT_LABELS_DIFFER,
          what: `namespaces with ${text(namespaceLabels)} may attach, and ${all[0].path} guards those with ${text(all[0].labels)}`,
          remedy: 'give both the same namespaceLabels',
        },
      ];
}

/** Limits in objects that every identity with the permission may write. */
function openLimits({ settings, tenants }: TenancyRegistry): Fault[] {
  const { engine, platform, oneTeam } = settings;
  const limited = [...tenants.values()].filter(
    ({ options, services }) =>
      options.maxConnections !== undefined || services.some(({ asked }) => asked.sourceRanges !== undefined),
  );
  const isOpen = engine.isolation.isByItself && engine.isolation.dangerous.length > 0 && !platform?.length && !oneTeam;
  return isOpen && limited.length > 0
    ? [
        {
          rule: LIMITS_OPEN,
          what: `limits and source ranges of ${limited.length === 1 ? `tenant ${limited[0].name}` : `${limited.length} tenants`} are ${engine.isolation.dangerous[0].resource} and similar objects in the tenants' namespaces; without RBAC that forbids it a tenant can change its own limits`,
          remedy:
            'pass platform, the identities that apply these manifests, and a policy reserves these kinds for them',
        },
      ]
    : [];
}

/** ListenerSets that hold limits, and that tenants may delete and make anew: the limit goes with the listener it was for. */
function openSets({ settings, tenants }: TenancyRegistry): Fault[] {
  const { engine, platform, oneTeam, tenantsWriteListeners } = settings;
  const limited = [...tenants.values()].filter(({ options }) => options.maxConnections !== undefined);
  const isOpen = engine.publishing.throughGateway && !platform?.length && !oneTeam && tenantsWriteListeners();
  return isOpen && limited.length > 0
    ? [
        {
          rule: LISTENERS_OPEN,
          what: `tenants write listeners themselves, and maxConnections of ${limited.length === 1 ? `tenant ${limited[0].name}` : `${limited.length} tenants`} holds for the ListenerSet that is made here: a tenant can delete it, and listen on the same port without a limit`,
          remedy:
            'pass platform, so that the ListenerSets of tenants are reserved for it, or leave attachments out of their permissions',
        },
      ]
    : [];
}

/** A balancer that is paid for and serves no tenant. */
function idleBalancers(registry: TenancyRegistry): Fault[] {
  const { lock, name, file } = registry.settings;
  const numbers = Array.from({ length: lock.balancers(name) }, (_, i) => i);
  const idle = numbers.filter((i) => registry.lockedPortsAt(i).length === 0);
  return idle.length === 0
    ? []
    : [
        {
          rule: BALANCER_IDLE,
          what: `${file} has no port at ${idle.map((i) => balancerName(name, i)).join(', ')}, which is made and paid for, since a later one has ports`,
          remedy:
            'release the ports of the last one with the command, so that they move, once its clients can be informed',
        },
      ];
}
