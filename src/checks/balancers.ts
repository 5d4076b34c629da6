import { definedOrNothing, isMap, type Json, mapIn, printable, shown } from '../contract/json';
import { Confidence } from '../contract/kubernetes.facts';
import type { ILoadBalancerController } from '../contract/load-balancer-request';
import type { MadeBalancer } from '../contract/made-balancer';
import { type LoadBalancerFinding, LoadBalancerScheme } from '../contract/options';
import { count, ownCommand } from '../contract/rule';
import { madeNlb } from '../controllers/aws/made';
import { AWS_LBC_CONTROLLER, AWS_LBC_SOURCE } from '../controllers/aws-load-balancer-controller/annotations';
import { LoadBalancerOwner, OwnershipState } from '../controllers/load-balancer-owner';
import { ownerSigns } from '../controllers/other-controller';
import { podNameOf } from '../predicted/kafka-services';
import { LiveServices } from '../predicted/live-services';
import type { LaterNlb, ReportedService } from '../predicted/predicted';
import { laterServices } from '../predicted/predicted-services';
import { judgeBudget } from '../report/make-report';
import type { BalancerToReport, ReportOptions } from '../report/report';
import { type ControllerDefinition, definitionOf, madeOf, neededToMake } from '../rules/controller-definition';
import { allKinds, likelyOwner, possibleOwners } from '../rules/known-kinds';
import { copiesOf, type Manifest, ManifestIndex } from '../rules/manifest-objects';
import { typedService } from '../rules/service-fields';
import { classOf, updatesOf } from '../rules/service-json';
import { Workloads } from '../rules/workload-rules';
import { SHARED_CLASS, TENANT_LABEL } from '../tenancy/tenancy.facts';
import type { CheckedObject, CheckFinding, Level, Place } from './check-report';
import type { CheckContext, WrittenBudget } from './context/check-context';
import { inferredContext } from './context/inference';
import { folded } from './formats/words';
import type { Manifests } from './manifests';
import { webhookUnsaid } from './owners-in-words';
import { ownerIn } from './service-judgement';

export type BalancedFiles = ReturnType<typeof balancedIn>;

export function balancedIn(read: Manifests, written: CheckContext, older?: readonly Manifest[]) {
  const { manifests } = read;
  const index = new ManifestIndex(manifests);
  const later = laterServices(manifests, true, older);
  const context = inferredContext(
    index,
    written,
    later.services.map((service) => index.entryOf(service)),
  );
  const finder = new OwnerFinder(
    context,
    manifests.map(({ object }) => object),
    updatesOf((older ?? []).map(({ object }) => object)),
  );
  const services: readonly ReportedService[] = [
    ...manifests.filter(({ object }) => isService(object)),
    ...later.services,
  ];
  return { manifests, later, context, services, find: (service: ReportedService) => finder.reported(service) };
}

function isService({ apiVersion, kind }: Json): boolean {
  return apiVersion === 'v1' && kind === 'Service';
}

export interface Found {
  readonly balancer: BalancerToReport;
  readonly service: ReportedService;
  readonly guess?: string;
  readonly hasOwner: boolean;
  readonly state: OwnershipState;
}

class OwnerFinder {
  private readonly workloads: Workloads;
  private readonly tenants: ReadonlyMap<string, string>;
  private readonly beside: readonly Json[];

  public constructor(
    private readonly context: CheckContext,
    objects: readonly Json[],
    private readonly asUpdate: (service: Json) => Json = (service) => service,
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
    const owner = ownerIn(this.asUpdate(service), this.context);
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
      place: printable(placeInFile({ file, line })),
      ...(madeBy === undefined ? {} : { madeBy: printable(madeBy) }),
      ...(tenant === undefined ? {} : { tenant: printable(tenant) }),
    };
    const { balancer, guess } = this.ownedBy(service, owner);
    return [
      {
        service: reported,
        balancer: { ...common, ...balancer },
        // of an owner without rules nothing more is known than of none
        state: owner.controller && !definitionOf(owner.controller) ? OwnershipState.UNKNOWN : owner.state,
        hasOwner: owner.controller !== undefined,
        ...(guess ? { guess } : {}),
      },
    ];
  }

  private ownedBy(
    service: Json,
    { state, controller, because }: LoadBalancerOwner,
  ): { readonly balancer: Ownership; readonly guess?: string } {
    if (controller && !definitionOf(controller)) {
      return { balancer: { owner: controller.name, unknown: neededToMake(controller) } };
    }
    if (controller) {
      const made = madeOf(service, controller, this.beside);
      const guess = this.guessOf(this.asUpdate(service), controller.name);
      return {
        balancer: {
          owner: controller.name,
          controller,
          ...(guess === undefined ? {} : { isGuess: true }),
          ...madeOrNot(made, controller),
        },
        ...(guess === undefined ? {} : { guess }),
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

  /** Why the owner is a guess: it would be another one without the controllers that were inferred, or with a webhook that is not spoken of. */
  private guessOf(service: Json, name: string): string | undefined {
    const { areControllersInferred, controllers } = this.context;
    if (areControllersInferred === true && LoadBalancerOwner.of(service).name !== name) {
      return guessOf(name, 'the controllers that the files show');
    }
    const other = webhookUnsaid(service, name, controllers);
    return other === undefined
      ? undefined
      : `${name} is a guess, for the webhook of ${other} may give a new Service without a class its own; write serviceMutatorWebhook: true or false in load-balancers.yaml to be sure`;
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
  const [sign] = ownerSigns(service);
  if (sign && !allKinds().some(({ name }) => name === sign.other.id)) {
    return printable(`needs the rules of ${sign.other.name}, which are not known here: ${sign.sign} is its own`);
  }
  return printable(`needs controllers in load-balancers.yaml${who === '' ? '' : `: it may be ${who}, or another one`}`);
}

function placeInFile({ file, line }: { readonly file: string; readonly line: number }): string {
  return `${file === '-' ? 'standard input' : file}:${line}`;
}

export function balancerOfGateway(nlb: LaterNlb): BalancerToReport {
  const { gateway, ports, madeBy } = nlb;
  const { namespace = 'default', name = '(without a name)' } = gateway.object.metadata ?? {};
  const title = `Gateway ${namespace}/${name}`;
  const { made, unknown } = madeOfGateway(nlb);
  return {
    service: { metadata: { namespace, name }, spec: { ports } },
    namespace: printable(String(namespace)),
    name: printable(String(name)),
    owner: AWS_LBC_CONTROLLER,
    ...(made && { made }),
    unknown: printable(unknown ?? `needs the targets of ${title}: which its routes give it is not looked at here`),
    madeBy: printable(madeBy),
    workloads: [],
    place: printable(placeInFile(gateway)),
  };
}

function madeOfGateway({ scheme, subnets, ports, missing }: LaterNlb): {
  readonly made?: MadeBalancer;
  readonly unknown?: string;
} {
  if (missing !== undefined) {
    return { unknown: `needs ${missing} among the files: its scheme decides of public addresses` };
  }
  const known = Object.values(LoadBalancerScheme).find((one) => one === scheme);
  return known === undefined
    ? { unknown: `needs a scheme that exists: ${shown(scheme)} is neither internal nor internet-facing` }
    : {
        made: madeNlb(
          { spec: { ports } },
          {
            scheme: known,
            clients: { toPods: true, preserves: () => undefined },
            hasHeader: () => false,
            listeners: ports.length,
            zones: subnets,
            source: AWS_LBC_SOURCE,
            confidence: Confidence.SOURCE,
          },
        ),
      };
}

interface ReportedBalancers {
  readonly balancers: readonly BalancerToReport[];
  readonly options: ReportOptions;
}

export function balancersIn(read: Manifests, written: CheckContext): ReportedBalancers {
  const { manifests, later, context, services, find } = balancedIn(read, written);
  const objects = manifests.map(({ object }) => object);
  const missing = new Set(new LiveServices(manifests).missing(later.services));
  const all = services.filter((service) => service.madeOf === undefined || missing.has(service));
  const own = [...copiesOf(all, read.isDeclared).keys()];
  const shared = own.filter(({ object }) => classOf(typedService(object).service) === SHARED_CLASS);
  const balancers = own.filter((service) => !shared.includes(service)).flatMap(find);
  const ofKafka = new Brokers(later.services);
  const { nlbs = [] } = later;
  const counted = new Set(nlbs.map(({ note }) => note));
  const { zones, gbPerMonth, connections, quotas } = written.budget ?? ({} as Partial<WrittenBudget>);
  return {
    balancers: [
      ...balancers.map(({ balancer, service }) => ofKafka.withPods(balancer, service)),
      ...nlbs.map(balancerOfGateway),
    ],
    options: {
      ...definedOrNothing({ zones, gbPerMonth, connections, quotas }),
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
        ...folded(later.notes.filter((note) => !counted.has(note))).map(printable),
        ...read.unreadable.map(({ place, what }) => `${placeInFile(place)} is not in the figures: ${what}`),
      ],
      needs:
        balancers.length === 0 || objects.some(({ kind }) => kind === 'Node')
          ? []
          : [`needs nodes and pods for shares: kubectl get nodes,pods,svc -A -o yaml | ${ownCommand('report -')}`],
    },
  };
}

function zonesOf({ nodePools = {} }: CheckContext): readonly string[] {
  return [...new Set(Object.values(nodePools).flatMap(({ zones }) => zones))].sort();
}

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

const BUDGET: CheckedObject = { apiVersion: '', kind: 'budget', name: 'of all load balancers' };

export function budgetFindings(read: Manifests, written: CheckContext): CheckFinding[] {
  const { budget } = written;
  if (!budget) {
    return [];
  }
  const { maxMonthlyCost, maxQuotaPercent, place, places } = budget;
  const { balancers, options } = balancersIn(read, written);
  const { errors, warnings } = judgeBudget(balancers, options, { maxMonthlyCost, maxQuotaPercent });
  const at = (level: Level) => (finding: LoadBalancerFinding) => findingAt(finding, level, placeOf(finding) ?? place);
  const placeOf = ({ ruleId }: LoadBalancerFinding): Place | undefined =>
    places[ruleId.startsWith('quota-') ? 'maxQuotaPercent' : 'maxMonthlyCost'];
  // what rests on a guess is a warning at most
  const isGuess = balancers.some((balancer) => balancer.isGuess === true);
  return [...errors.map(at(isGuess ? 'warning' : 'error')), ...warnings.map(at('warning'))];
}

function findingAt(
  { ruleId, who, what, remedy, value }: LoadBalancerFinding,
  level: Level,
  place: Place,
): CheckFinding {
  return {
    ruleId,
    level,
    who,
    what: printable(what),
    remedy: printable(remedy),
    ...(value !== undefined && { value: printable(value) }),
    object: BUDGET,
    place,
  };
}
