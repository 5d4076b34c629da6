import { ownCommand } from '../contract/own-command';
import { count, printable } from '../contract/printable';
import { podNameOf } from '../predicted/kafka-services';

import { LiveServices } from '../predicted/live-services';
import type { ReportedService } from '../predicted/predicted';
import type { BalancerToReport, ReportOptions } from '../report/report-options';
import { typedService } from '../rules/service-fields';
import { classOf } from '../rules/service-json';
import { SHARED_CLASS } from '../tenancy/tenancy.facts';
import { balancedIn } from './balanced-files';
import type { CheckContext } from './context/check-context';
import { balancerOfGateway } from './gateway-balancers';
import type { Manifests } from './manifests';
import { placeInFile } from './owner-finder';

/** The balancers of some files, and what else the files and their context file say for a report. */
export interface ReportedBalancers {
  readonly balancers: readonly BalancerToReport[];
  readonly options: ReportOptions;
}

/** Collects the load balanced Services of files, and those that operators will make, with their owners. */
export function balancersIn(read: Manifests, written: CheckContext): ReportedBalancers {
  const { manifests, later, context, services, find } = balancedIn(read, written);
  const objects = manifests.map(({ object }) => object);
  const missing = new Set(new LiveServices(manifests).missing(later.services));
  const own = services.filter((service) => service.madeOf === undefined || missing.has(service));
  const shared = own.filter(({ object }) => classOf(typedService(object).service) === SHARED_CLASS);
  const balancers = own.filter((service) => !shared.includes(service)).flatMap(find);
  const ofKafka = new Brokers(later.services);
  const { nlbs = [] } = later;
  const counted = new Set(nlbs.map(({ note }) => note));
  return {
    balancers: [
      ...balancers.map(({ balancer, service }) => ofKafka.withPods(balancer, service)),
      ...nlbs.map(balancerOfGateway),
    ],
    options: {
      objects: objects.filter(({ kind, apiVersion }) => apiVersion === 'v1' && (kind === 'Node' || kind === 'Pod')),
      zonesOfPools: zonesOf(context),
      region: context.region,
      assumptions: [
        ...context.known.filter(({ isInferred }) => isInferred).map(({ what, from }) => `${what}, seen in ${from}`),
        ...balancers.flatMap(({ guess }) => guess ?? []),
      ],
      notes: [
        ...(shared.length > 0
          ? [`${count(shared.length, 'Service')} of a shared load balancer: none has a balancer of its own`]
          : []),
        ...(read.notes ?? []),
        ...later.notes.filter((note) => !counted.has(note)).map(printable),
        ...read.unreadable.map(({ place, what }) => `${placeInFile(place)} is not in the figures: ${what}`),
      ],
      needs:
        balancers.length === 0 || objects.some(({ kind }) => kind === 'Node')
          ? []
          : [`needs nodes and pods for shares: kubectl get nodes,pods,svc -A -o yaml | ${ownCommand('report -')}`],
    },
  };
}

/** Pools show where nodes are; how many there are they do not say. */
function zonesOf({ nodePools = {} }: CheckContext): readonly string[] {
  return [...new Set(Object.values(nodePools).flatMap(({ zones }) => zones))].sort();
}

/** The brokers behind Services that an operator makes of a cluster: no file has a workload for them. */
class Brokers {
  private readonly counts = new Map<string, number>();

  public constructor(services: readonly ReportedService[]) {
    for (const service of services.filter(({ object }) => podNameOf(object) !== undefined)) {
      const key = keyOf(service);
      this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    }
  }

  public withPods(balancer: BalancerToReport, service: ReportedService): BalancerToReport {
    const brokers = this.counts.get(keyOf(service));
    if (!service.madeOf || brokers === undefined || balancer.workloads.length > 0) {
      return balancer;
    }
    const { kind, metadata } = service.madeOf.object;
    const pod = podNameOf(service.object);
    const replicas = pod === undefined ? brokers : 1;
    return { ...balancer, workloads: [{ kind, metadata: { name: pod ?? metadata?.name }, spec: { replicas } }] };
  }
}

function keyOf({ file, line, madeBy = '' }: ReportedService): string {
  return JSON.stringify([file, line, madeBy]);
}
