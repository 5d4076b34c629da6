import { definedOrNothing, grouped, type Json, mapIn, printable, shown, stepsOf } from '../contract/json';
import { Confidence } from '../contract/kubernetes.facts';
import { type LoadBalancerFinding, LoadBalancerScheme } from '../contract/options';
import { count, ownCommand } from '../contract/rule';
import { nlbModel } from '../controllers/aws/model';
import { AWS_LBC_CONTROLLER, AWS_LBC_SOURCE } from '../controllers/aws-load-balancer-controller/annotations';
import { LoadBalancerOwner } from '../controllers/load-balancer-owner';
import { OwnershipState } from '../controllers/options';
import { ownerEvidence } from '../controllers/other-controller';
import { podNameOf } from '../predicted/kafka-services';
import { LiveServices, type PredictedNlb, type ReportedService } from '../predicted/predicted';
import { predictServices } from '../predicted/predicted-services';
import { checkLimits } from '../report/make-report';
import type { BalancerToReport, ReportOptions } from '../report/paths';
import { balancerModelOf, type ControllerDefinition, definitionOf, neededToMake } from '../rules/controller-definition';
import { allKinds, likelyOwner, possibleOwners } from '../rules/known-kinds';
import { copiesOf, type Manifest, ManifestIndex, placeOfManifest } from '../rules/manifest-objects';
import { typedService } from '../rules/service-fields';
import { classOf, isService, updatesOf } from '../rules/service-json';
import { Workloads } from '../rules/workload-rules';
import { SHARED_CLASS, TENANT_LABEL } from '../tenancy/tenancy.facts';
import type { Unknown } from '../traffic/fraction';
import type { CheckedObject, CheckFinding, Level } from './check-report';
import type { BudgetEntry, CheckContext } from './context/check-context';
import { inferredContext } from './context/inference';
import { folded } from './formats/words';
import type { Manifests } from './manifests';
import { unknownWebhook } from './owners-in-words';
import { ownerIn } from './service-checks';

export type BalancedFiles = ReturnType<typeof balancedIn>;

export function balancedIn(read: Manifests, written: CheckContext, older?: readonly Manifest[]) {
  const { manifests } = read;
  const index = new ManifestIndex(manifests);
  const later = predictServices(manifests, true, older);
  const context = inferredContext(
    index,
    written,
    later.services.map((service) => index.entryOf(service)),
  );
  const asUpdate = updatesOf((older ?? []).map(({ object }) => object));
  const objects = manifests.map(({ object }) => object);
  const services: readonly ReportedService[] = [
    ...manifests.filter(({ object }) => isService(object)),
    ...later.services,
  ];
  return { manifests, later, context, services, find: finderIn(context, objects, asUpdate) };
}

export type FoundBalancer = ReturnType<ReturnType<typeof finderIn>>[number];

function finderIn(context: CheckContext, objects: readonly Json[], asUpdate: (service: Json) => Json) {
  const workloads = new Workloads(objects);
  // of a large set most are Services, which change nothing of others
  const beside = objects.filter(({ kind }) => kind !== 'Service');
  const tenants = new Map(
    objects.flatMap(({ kind, metadata }): [string, string][] => {
      const tenant: unknown = kind === 'Namespace' ? mapIn(metadata, 'labels')[TENANT_LABEL] : undefined;
      return typeof tenant === 'string' ? [[String(metadata.name), printable(tenant)]] : [];
    }),
  );
  const ownership = (service: Json, { state, controller, because }: LoadBalancerOwner): Ownership => {
    if (controller && !definitionOf(controller)) {
      return { owner: controller.name, unknown: neededToMake(controller) };
    }
    const maker = controller ?? (state === OwnershipState.UNKNOWN ? likelyOwner(service)?.kind : undefined);
    if (!maker) {
      return { owner: 'unknown', ...needsOf(state, service, because) };
    }
    const made = balancerModelOf(service, maker, beside);
    const guess = controller
      ? guessOf(asUpdate(service), controller.name, context)
      : guessBy(maker.name, 'the annotations of its Services, which it reads');
    const unknown = made ? undefined : neededToMake(maker);
    return {
      owner: maker.name,
      controller: maker,
      isGuess: guess === undefined ? undefined : true,
      made,
      unknown,
      guess,
    };
  };
  return (reported: ReportedService) => {
    const { service } = typedService(reported.object);
    const owner = ownerIn(asUpdate(service), context);
    if (owner.state === OwnershipState.NOT_APPLICABLE) {
      return [];
    }
    const { metadata } = service;
    const namespace: string = metadata?.namespace ?? 'default';
    const name: string = metadata?.name ?? (metadata?.generateName ? `${metadata.generateName}*` : '(without a name)');
    const { guess, ...owned } = ownership(service, owner);
    const balancer: BalancerToReport = {
      service,
      namespace: printable(namespace),
      name: printable(name),
      workloads: workloads.of(service),
      place: printable(placeOfManifest(reported)),
      madeBy: reported.madeBy === undefined ? undefined : printable(reported.madeBy),
      tenant: tenants.get(namespace),
      ...owned,
    };
    // of an owner without rules nothing more is known than of none
    const state = owner.controller && !definitionOf(owner.controller) ? OwnershipState.UNKNOWN : owner.state;
    return [{ service: reported, balancer, state, hasOwner: owner.controller !== undefined, guess }];
  };
}

type Ownership = Pick<BalancerToReport, 'owner' | 'controller' | 'isGuess' | 'made' | 'unknown' | 'because'> & {
  readonly guess?: string;
};

/** It would be another owner without the controllers that were inferred, or with a webhook that is not spoken of. */
function guessOf(
  service: Json,
  name: string,
  { areControllersInferred, controllers }: CheckContext,
): string | undefined {
  if (areControllersInferred === true && LoadBalancerOwner.of(service).name !== name) {
    return guessBy(name, 'the controllers that the files show');
  }
  const other = unknownWebhook(service, name, controllers);
  return other === undefined
    ? undefined
    : `${name} is a guess, for the webhook of ${other} may give a new Service without a class its own; write serviceMutatorWebhook: true or false in load-balancers.yaml to be sure`;
}

function guessBy(name: string, by: string): string {
  return `${name} is a guess by ${by}; name controllers in load-balancers.yaml to be sure`;
}

const NOT_KNOWN_BY_CLASS =
  'none that is known here serves it by default; if one of them is installed with it, add its Deployment to the files';

function needsOf(state: OwnershipState, service: Json, because: string): Unknown {
  const needs = (unknown: string, why?: string): Unknown => ({
    unknown: printable(`needs ${unknown}`),
    ...(why !== undefined && { because: printable(why) }),
  });
  if (state === OwnershipState.UNCLAIMED) {
    return needs('a controller that takes it', because);
  }
  if (state === OwnershipState.CONTESTED) {
    return needs('one owner', because);
  }
  const owners: readonly ControllerDefinition[] = possibleOwners(service);
  const loadBalancerClass = classOf(service);
  if (owners.length === 0 && loadBalancerClass !== undefined) {
    return needs(`a controller of class ${shown(loadBalancerClass)}`, NOT_KNOWN_BY_CLASS);
  }
  const [sign] = ownerEvidence(service);
  if (sign && !allKinds().some(({ name }) => name === sign.other.id)) {
    return needs(`the rules of ${sign.other.name}, which are not known here`, `${sign.sign} is its own`);
  }
  const who = owners.map(({ name }) => name).join(', ');
  return needs('controllers in load-balancers.yaml', who === '' ? undefined : `it may be ${who}, or another one`);
}

export function balancerOfGateway(nlb: PredictedNlb): BalancerToReport {
  const { gateway, ports, madeBy } = nlb;
  const { namespace = 'default', name = '(without a name)' } = gateway.object.metadata ?? {};
  const title = `Gateway ${namespace}/${name}`;
  const { made, unknown, because } = madeOfGateway(nlb);
  return {
    service: { metadata: { namespace, name }, spec: { ports } },
    namespace: printable(String(namespace)),
    name: printable(String(name)),
    owner: AWS_LBC_CONTROLLER,
    ...(made && { made }),
    unknown: printable(unknown ?? `needs the targets of ${title}`),
    because: unknown === undefined ? 'which its routes give it is not looked at here' : because,
    madeBy: printable(madeBy),
    workloads: [],
    place: printable(placeOfManifest(gateway)),
  };
}

function madeOfGateway({
  scheme,
  subnets,
  ports,
  missing,
}: PredictedNlb): Pick<BalancerToReport, 'made' | 'unknown' | 'because'> {
  if (missing !== undefined) {
    return { unknown: `needs ${missing} among the files`, because: 'its scheme decides of public addresses' };
  }
  const known = Object.values(LoadBalancerScheme).find((one) => one === scheme);
  return known === undefined
    ? { unknown: 'needs a scheme that exists', because: `${shown(scheme)} is neither internal nor internet-facing` }
    : {
        made: nlbModel(
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

export function balancersIn(
  read: Manifests,
  written: CheckContext,
): { readonly balancers: readonly BalancerToReport[]; readonly options: ReportOptions } {
  const { manifests, later, context, services, find } = balancedIn(read, written);
  const objects = manifests.map(({ object }) => object);
  const missing = new Set(new LiveServices(manifests).missing(later.services));
  const all = services.filter((service) => service.madeOf === undefined || missing.has(service));
  const own = [...copiesOf(all, read.isDeclared).keys()];
  const shared = own.filter(({ object }) => classOf(object) === SHARED_CLASS);
  const balancers = own.filter((service) => !shared.includes(service)).flatMap(find);
  const brokers = grouped(
    later.services.filter(({ object }) => podNameOf(object) !== undefined),
    keyOf,
  );
  const { nlbs = [] } = later;
  const counted = new Set(nlbs.map(({ note }) => note));
  const { zones, gbPerMonth, connections, quotas } = written.budget ?? ({} as Partial<BudgetEntry>);
  return {
    balancers: [
      ...balancers.map(({ balancer, service }) =>
        withBrokers(balancer, service, brokers.get(keyOf(service))?.length ?? 0),
      ),
      ...nlbs.map(balancerOfGateway),
    ],
    options: {
      ...definedOrNothing({ zones, gbPerMonth, connections, quotas }),
      objects: objects.filter(({ kind, apiVersion }) => apiVersion === 'v1' && (kind === 'Node' || kind === 'Pod')),
      zonesOfPools: [...new Set(Object.values(context.nodePools ?? {}).flatMap((pool) => pool.zones))].sort(),
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
        ...read.unreadable.map(
          ({ place: { file, line }, what }) =>
            `${file === '-' ? 'standard input' : file}:${line} is not in the figures: ${what}`,
        ),
      ],
      needs:
        balancers.length === 0 || objects.some(({ kind }) => kind === 'Node')
          ? []
          : [`needs nodes and pods for shares: kubectl get nodes,pods,svc -A -o yaml | ${ownCommand('report -')}`],
    },
  };
}

/** A balancer with the brokers behind it, of which no file has the workload. */
function withBrokers(balancer: BalancerToReport, service: ReportedService, brokers: number): BalancerToReport {
  if (!service.madeOf || brokers === 0 || balancer.workloads.length > 0) {
    return balancer;
  }
  const { kind, metadata } = service.madeOf.object;
  const pod = podNameOf(service.object);
  const replicas = pod === undefined ? brokers : 1;
  return { ...balancer, workloads: [{ kind, metadata: { name: pod ?? metadata?.name }, spec: { replicas } }] };
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
  const { errors, warnings } = checkLimits(balancers, options, { maxMonthlyCost, maxQuotaPercent });
  const at = (level: Level) => (finding: LoadBalancerFinding) => {
    const { ruleId, who, what, remedy, value, at: pointer } = finding;
    return {
      ...{ ruleId, level, who, what: printable(what), remedy: printable(remedy) },
      ...(value !== undefined && { value: printable(value) }),
      object: BUDGET,
      place: places[stepsOf(pointer)[0]] ?? place,
      pointer,
    };
  };
  // what rests on a guess is a warning at most
  const isGuess = balancers.some((balancer) => balancer.isGuess === true);
  return [...errors.map(at(isGuess ? 'warning' : 'error')), ...warnings.map(at('warning'))];
}
