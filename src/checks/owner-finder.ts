import { isMap, type Json, mapIn } from '../contract/json';
import type { ILoadBalancerController } from '../contract/load-balancer-controller';
import { printable, shown } from '../contract/printable';
import { LoadBalancerOwner, OwnershipState } from '../controllers/load-balancer-owner';
import { ownerSigns } from '../controllers/other-controller';
import type { ReportedService } from '../predicted/predicted';
import type { BalancerToReport } from '../report/report-options';
import { likelyOwner, possibleOwners } from '../rules/claimants';
import { type ControllerDefinition, definitionOf } from '../rules/controller-definition';
import { madeOf, neededToMake } from '../rules/made-of';
import { Workloads } from '../rules/selected-workloads';
import { typedService } from '../rules/service-fields';
import { classOf } from '../rules/service-json';
import { TENANT_LABEL } from '../tenancy/tenancy.facts';
import type { CheckContext } from './context/check-context';
import { webhookUnsaid } from './owners-in-words';

/** A balancer, the Service that it is of, and what was guessed of its owner. */
export interface Found {
  readonly balancer: BalancerToReport;
  readonly service: ReportedService;
  readonly guess?: string;
  /** Whether it has an owner, which may be without rules here. */
  readonly hasOwner: boolean;
  readonly state: OwnershipState;
}

/** Who owns the Services of some files, and what is made of them. */
export class OwnerFinder {
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

  private get ownership() {
    const { controllers } = this.context;
    return controllers && { controllers: [...controllers] };
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
      const guess = this.guessOf(service, controller.name);
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
  if (sign) {
    return printable(`needs the rules of ${sign.other.name}, which are not known here: ${sign.sign} is its own`);
  }
  return printable(`needs controllers in load-balancers.yaml${who === '' ? '' : `: it may be ${who}, or another one`}`);
}

/** `k8s/web.yaml:12` */
export function placeInFile({ file, line }: { readonly file: string; readonly line: number }): string {
  return `${file === '-' ? 'standard input' : file}:${line}`;
}
