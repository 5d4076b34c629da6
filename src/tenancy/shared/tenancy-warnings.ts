import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { sameLabels } from '../guard/namespaces';
import { balancerName } from './names';
import type { TenancyBook } from './tenancy-registry';

/** What works and will surprise. */
export function remarksOfTenancy(book: TenancyBook): LoadBalancerFinding[] {
  const { engine } = book.settings;
  return [
    ...engine.remarks.map((remark) => ({ who: engine.name, ...remark })),
    ...idleBalancers(book),
    ...openLimits(book),
    ...otherNamespaces(book),
  ];
}

/** A namespace with the labels of the one and not of the other is guarded and gets no port, or the other way round. */
function otherNamespaces({ settings: { path, guards, namespaceLabels } }: TenancyBook): LoadBalancerFinding[] {
  const all = guards();
  const text = (labels: object) =>
    Object.entries(labels)
      .map(([key, value]) => `${key}=${value}`)
      .join(', ');
  return all.length === 0 || all.some(({ labels }) => sameLabels(labels, namespaceLabels))
    ? []
    : [
        {
          ruleId: 'tenant-labels-differ',
          who: path,
          what: `namespaces with ${text(namespaceLabels)} may attach, and ${all[0].path} guards those with ${text(all[0].labels)}`,
          remedy: 'give both the same namespaceLabels',
        },
      ];
}

/** Limits that stand in objects which anybody with the permission may write. */
function openLimits({ settings, tenants }: TenancyBook): LoadBalancerFinding[] {
  const { engine, platform, oneTeam } = settings;
  const limited = [...tenants.values()].filter(
    ({ options, services }) =>
      options.maxConnections !== undefined || services.some(({ asked }) => asked.sourceRanges !== undefined),
  );
  const isOpen = engine.isolates && engine.dangerous.length > 0 && !platform?.length && !oneTeam;
  return isOpen && limited.length > 0
    ? [
        {
          ruleId: 'limits-open',
          who: engine.name,
          what: `limits and source ranges of ${limited.length === 1 ? `tenant ${limited[0].name}` : `${limited.length} tenants`} stand in ${engine.dangerous[0].resource} and the like in their own namespaces, and nothing but their permissions keeps them from writing such`,
          remedy: 'pass platform: who applies these manifests, and a policy keeps everybody else from these kinds',
        },
      ]
    : [];
}

/** A balancer that is paid for and serves nobody. */
function idleBalancers(book: TenancyBook): LoadBalancerFinding[] {
  const { engine, lock, name, file } = book.settings;
  const numbers = Array.from({ length: lock.balancers(name) }, (_, i) => i);
  const idle = numbers.filter((i) => book.lockedPortsAt(i).length === 0);
  return idle.length === 0
    ? []
    : [
        {
          ruleId: 'balancer-idle',
          who: engine.name,
          what: `${file} has no port at ${idle.map((i) => balancerName(name, i)).join(', ')}, which is made and paid for, since a later one has ports`,
          remedy: 'move what is at the last one, by releasing its ports with the command, when its clients can be told',
        },
      ];
}
