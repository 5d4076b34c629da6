import { isMap, type Json, mapIn } from '../contract/json';
import type { ILoadBalancerController } from '../contract/load-balancer-controller';
import { ownCommand } from '../contract/own-command';
import { printable, shown } from '../contract/printable';
import { LoadBalancerOwner, OwnershipState } from '../controllers/load-balancer-owner';
import { SELECTOR_LABELS } from '../kafka/strimzi/operator-services.facts';
import type { BalancerToReport, ReportOptions } from '../report/report-options';
import { likelyOwner, possibleOwners } from '../rules/claimants';
import type { ControllerDefinition } from '../rules/controller-definition';
import { madeOf, neededToMake } from '../rules/made-of';
import { ManifestIndex } from '../rules/manifest-objects';
import { Workloads } from '../rules/selected-workloads';
import { typedService } from '../rules/service-fields';
import { classOf } from '../rules/service-json';
import { SHARED_CLASS, TENANT_LABEL } from '../tenancy/tenancy.facts';
import type { CheckContext } from './context/check-context';
import { inferredContext } from './context/inference';
import { count } from './formats/words';
import { laterServices } from './later-services';
import type { Manifests } from './manifests';
import { noteOfPatch, withPatches } from './patches';
import type { ReportedService } from './service-report';

/** The balancers of some files, and what else the files and their context file say for a report. */
export interface ReportedBalancers {
  readonly balancers: readonly BalancerToReport[];
  readonly options: ReportOptions;
}

/** Collects the load balanced Services of files, and those that operators will make, with their owners. */
export function balancersIn(read: Manifests, written: CheckContext): ReportedBalancers {
  const manifests = withPatches(read);
  const whole = manifests.filter(({ patch }) => !patch);
  const index = new ManifestIndex(manifests);
  const later = laterServices(whole, true);
  const context = inferredContext(
    index,
    written,
    later.services.map((service) => index.entryOf(service)),
  );
  const objects = whole.map(({ object }) => object);
  const finder = new OwnerFinder(context, objects);
  const services: ReportedService[] = whole.filter(({ object }) => isService(object));
  const all = [...services, ...later.services];
  const shared = all.filter(({ object }) => classOf(typedService(object).service) === SHARED_CLASS);
  const balancers = all.filter((service) => !shared.includes(service)).flatMap((service) => finder.reported(service));
  const ofKafka = new Brokers(later.services);
  return {
    balancers: balancers.map(({ balancer, service }) => ofKafka.withPods(balancer, service)),
    options: {
      objects: objects.filter(({ kind, apiVersion }) => apiVersion === 'v1' && (kind === 'Node' || kind === 'Pod')),
      ...poolsIn(context),
      region: context.region,
      assumptions: [
        ...context.known.filter(({ isInferred }) => isInferred).map(({ what, from }) => `${what}, seen in ${from}`),
        ...balancers.flatMap(({ guess }) => guess ?? []),
      ],
      notes: [
        ...(shared.length > 0
          ? [`${count(shared.length, 'Service')} of a shared load balancer: none has a balancer of its own`]
          : []),
        ...manifests.filter(({ patch }) => patch).map((patch) => printable(noteOfPatch(patch))),
        ...later.notes.map(printable),
        ...read.unreadable.map(({ place, what }) => `${placeOf(place)} is not in the figures: ${what}`),
      ],
      needs:
        balancers.length === 0 || objects.some(({ kind }) => kind === 'Node')
          ? []
          : [`needs nodes and pods for shares: kubectl get nodes,pods,svc -A -o yaml | ${ownCommand('report -')}`],
    },
  };
}

/** `k8s/web.yaml:12` */
function placeOf({ file, line }: { readonly file: string; readonly line: number }): string {
  return `${file === '-' ? 'standard input' : file}:${line}`;
}

function isService({ apiVersion, kind }: Json): boolean {
  return apiVersion === 'v1' && kind === 'Service';
}

/** Pools tell nodes apart, and where they are; how many nodes there are they do not say. */
function poolsIn({ nodePools = {} }: CheckContext): Pick<ReportOptions, 'pools' | 'zonesOfPools'> {
  const pools = Object.entries(nodePools);
  return {
    pools: pools.map(([name, { labels }]) => ({ name, labels })),
    zonesOfPools: [...new Set(pools.flatMap(([, { zones }]) => zones))].sort(),
  };
}

/** A balancer, the Service that it is of, and what was guessed of its owner. */
interface Found {
  readonly balancer: BalancerToReport;
  readonly service: ReportedService;
  readonly guess?: string;
}

/** Who owns the Services of some files, and what is made of them. */
class OwnerFinder {
  private readonly workloads: Workloads;
  private readonly tenants: ReadonlyMap<string, string>;
  private readonly beside: readonly Json[];

  public constructor(
    private readonly context: CheckContext,
    objects: readonly Json[],
  ) {
    this.workloads = new Workloads(objects);
    // of a large set most are Services, which change nothing of others
    this.beside = objects.filter(({ kind }) => kind !== 'Service');
    this.tenants = new Map(
      objects
        .filter(({ kind }) => kind === 'Namespace')
        .flatMap(({ metadata }): [string, string][] => {
          const tenant: unknown = mapIn(metadata, 'labels')[TENANT_LABEL];
          return typeof tenant === 'string' && isMap(metadata) ? [[String(metadata.name), tenant]] : [];
        }),
    );
  }

  public reported(reported: ReportedService): Found[] {
    const { service } = typedService(reported.object);
    const owner = LoadBalancerOwner.of(service, this.ownership);
    if (owner.state === OwnershipState.NOT_APPLICABLE) {
      return [];
    }
    const { file, line, madeBy } = reported;
    const { metadata } = service;
    const namespace: string = metadata?.namespace ?? 'default';
    const name: string = metadata?.name ?? (metadata?.generateName ? `${metadata.generateName}*` : '(without a name)');
    const tenant = this.tenants.get(namespace);
    const common = {
      service,
      namespace: printable(namespace),
      name: printable(name),
      workloads: this.workloads.of(service),
      place: printable(placeOf({ file, line })),
      ...(madeBy === undefined ? {} : { madeBy: printable(madeBy) }),
      ...(tenant === undefined ? {} : { tenant: printable(tenant) }),
    };
    const { balancer, guess } = this.ownedBy(service, owner);
    return [{ service: reported, balancer: { ...common, ...balancer }, ...(guess ? { guess } : {}) }];
  }

  private get ownership() {
    const { controllers } = this.context;
    return controllers && { controllers: [...controllers] };
  }

  private ownedBy(
    service: Json,
    { state, controller, because }: LoadBalancerOwner,
  ): { readonly balancer: Ownership; readonly guess?: string } {
    if (controller) {
      const made = madeOf(service, controller, this.beside);
      const isGuess = this.isGuess(service, controller.name);
      return {
        balancer: {
          owner: controller.name,
          controller,
          ...(isGuess ? { isGuess } : {}),
          ...madeOrNot(made, controller),
        },
        ...(isGuess ? { guess: guessOf(controller.name, 'the controllers that the files show') } : {}),
      };
    }
    const likely = state === OwnershipState.UNKNOWN ? likelyOwner(service)?.kind : undefined;
    if (likely) {
      const made = madeOf(service, likely, this.beside);
      return {
        balancer: { owner: likely.name, controller: likely, isGuess: true, ...madeOrNot(made, likely) },
        guess: guessOf(likely.name, 'the annotations of its Services, which it reads'),
      };
    }
    return { balancer: { owner: 'unknown', unknown: needsOf(state, service, because) } };
  }

  /** Whether the owner would be another one without the controllers that were inferred. */
  private isGuess(service: Json, name: string): boolean {
    return this.context.areControllersInferred === true && LoadBalancerOwner.of(service).name !== name;
  }
}

type Ownership = Pick<BalancerToReport, 'owner' | 'controller' | 'isGuess' | 'made' | 'unknown'>;

function madeOrNot(
  made: BalancerToReport['made'],
  controller: ILoadBalancerController | ControllerDefinition,
): Pick<BalancerToReport, 'made' | 'unknown'> {
  return made ? { made } : { unknown: neededToMake(controller) };
}

function guessOf(name: string, by: string): string {
  return `${name} is a guess by ${by}; name controllers in load-balancers.yaml to be sure`;
}

const NOT_KNOWN_BY_CLASS =
  'none that is known here serves it by default; if one of them is installed with it, add its Deployment to the files';

function needsOf(state: OwnershipState, service: Json, because: string): string {
  if (state === OwnershipState.UNCLAIMED) {
    return printable(`needs a controller that takes it: ${because}`);
  }
  if (state === OwnershipState.CONTESTED) {
    return printable(`needs one owner: ${because}`);
  }
  const owners: readonly ControllerDefinition[] = possibleOwners(service);
  const loadBalancerClass = classOf(service);
  if (owners.length === 0 && loadBalancerClass !== undefined) {
    return printable(`needs a controller of class ${shown(loadBalancerClass)}: ${NOT_KNOWN_BY_CLASS}`);
  }
  const who = owners.map(({ name }) => name).join(', ');
  return printable(`needs controllers in load-balancers.yaml${who === '' ? '' : `: it may be ${who}`}`);
}

/** The brokers behind Services that an operator makes of a cluster: no file has a workload for them. */
class Brokers {
  private readonly counts = new Map<string, number>();

  public constructor(services: readonly ReportedService[]) {
    for (const service of services.filter(({ object }) => podOf(object) !== undefined)) {
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
    const pod = podOf(service.object);
    const replicas = pod === undefined ? brokers : 1;
    return { ...balancer, workloads: [{ kind, metadata: { name: pod ?? metadata?.name }, spec: { replicas } }] };
  }
}

function keyOf({ file, line, madeBy = '' }: ReportedService): string {
  return JSON.stringify([file, line, madeBy]);
}

function podOf(service: Json): string | undefined {
  const pod: unknown = mapIn(mapIn(service, 'spec'), 'selector')[SELECTOR_LABELS.pod];
  return typeof pod === 'string' ? pod : undefined;
}
