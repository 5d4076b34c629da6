import '../../src';
import { installsOfCharts } from '../../src/cli/context/observed-controllers';
import { isMap, mapIn } from '../../src/contract/json';
import { itemsOf, readKubernetesYaml } from '../../src/contract/kubernetes-yaml';
import type { ILoadBalancerController } from '../../src/contract/load-balancer-request';
import { LoadBalancerOwner } from '../../src/controllers/load-balancer-owner';
import { OwnershipState } from '../../src/controllers/options';
import { diffOf } from '../../src/diff/diff';
import type { BalancerChange } from '../../src/diff/effect';
import type { DiffOptions, Side, SideBalancer } from '../../src/diff/side';
import type { ReportedService } from '../../src/predicted/predicted';
import { predictServices } from '../../src/predicted/predicted-services';
import { balancerModelOf, definitionOf } from '../../src/rules/controller-definition';
import type { Manifest } from '../../src/rules/manifest-objects';
import { typedService } from '../../src/rules/service-fields';
import { isService } from '../../src/rules/service-json';

/** What is said of a side beside its manifests. */
export interface SideOptions extends Omit<Partial<Side>, 'manifests' | 'balancers' | 'controllers'> {
  /** The controllers that run, as a context file names them. */
  readonly installed?: readonly ILoadBalancerController[];
  /** Of the newer side: what is applied before it. */
  readonly older?: readonly Manifest[];
}

/** YAML by the name of its file, or that of one file. */
export type Texts = string | Readonly<Record<string, string>>;

export function sideOf(texts: Texts, { installed, older, ...options }: SideOptions = {}): Side {
  const files = typeof texts === 'string' ? { 'a.yaml': texts } : texts;
  const manifests = Object.entries(files).flatMap(([file, text]) => manifestsIn(file, text));
  const later = predictServices(manifests, true, older);
  // a cluster has what was made under the name that was generated
  const made = later.services.filter(({ object }) => !options.isLive || mapIn(object, 'metadata').name !== undefined);
  const all: ReportedService[] = [...manifests.filter(({ object }) => isService(object)), ...made];
  const controllers = installed && [...installed];
  return {
    name: 'a.yaml',
    manifests,
    balancers: all.flatMap((written) => balancerOf(written, controllers, manifests)),
    ...(controllers && { controllers: controllers.map(({ name }) => name) }),
    installs: installsOfCharts(manifests),
    gaps: later.notes,
    ...options,
  };
}

/** What becomes of the balancers from some texts to others. */
export function changesOf(before: Side, after: Side, options: DiffOptions = {}): BalancerChange[] {
  return diffOf({ ...before, name: 'old' }, { ...after, name: 'new' }, options);
}

function manifestsIn(file: string, text: string): Manifest[] {
  const { values, faults } = readKubernetesYaml(text);
  if (faults.length > 0) throw new Error(`${file}:${faults[0].line}: ${faults[0].what}`);
  return values
    .flatMap(itemsOf)
    .flatMap(({ value, line, source }) => (isMap(value) ? [{ file, line, object: value, source }] : []));
}

function balancerOf(
  written: ReportedService,
  controllers: ILoadBalancerController[] | undefined,
  beside: readonly Manifest[],
): SideBalancer[] {
  const { service } = typedService(written.object);
  const { state, controller, because } = LoadBalancerOwner.of(service, controllers);
  if (state === OwnershipState.NOT_APPLICABLE) return [];
  const { namespace = 'default', name, generateName } = mapIn(service, 'metadata');
  const id = `${namespace}/${name ?? `${generateName}*`}`;
  const made = balancerModelOf(
    service,
    controller,
    beside.map(({ object }) => object),
  );
  return [
    {
      id,
      title: id,
      service,
      written,
      ownership: state,
      ...(controller
        ? { owner: controller.name, controller: definitionOf(controller) ? controller : undefined }
        : { unowned: because }),
      ...(made && { made }),
    },
  ];
}
