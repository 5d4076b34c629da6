import { type Json, mapIn } from '../../contract/json';
import { KubernetesVersion } from '../../contract/kubernetes-version';
import type { ILoadBalancerController } from '../../contract/load-balancer-request';
import { AWS_CLOUD_CONTROLLER } from '../../controllers/aws-cloud-provider/annotations';
import { AwsCloudProvider } from '../../controllers/aws-cloud-provider/controller';
import { AWS_LBC_CONTROLLER } from '../../controllers/aws-load-balancer-controller/annotations';
import { AwsLoadBalancerController } from '../../controllers/aws-load-balancer-controller/controller';
import { AZURE_CONTROLLER } from '../../controllers/azure-cloud-provider/annotations';
import { AzureCloudProvider } from '../../controllers/azure-cloud-provider/controller';
import { GKE_CONTROLLER } from '../../controllers/gke/annotations';
import { Gke } from '../../controllers/gke/controller';
import { GkeLoadBalancerGeneration } from '../../controllers/gke/options';
import { METALLB_CONTROLLER } from '../../controllers/metal-lb/annotations';
import { MetalLb } from '../../controllers/metal-lb/controller';
import { MetalLbVersion } from '../../controllers/metal-lb/version';
import { findOtherController, InstalledOtherController } from '../../controllers/other-controller';
import { VENDOR_MARKS } from '../../controllers/vendors/marks.facts';
import { releasesIn } from '../../predicted/helm-releases';
import type { ControllerDefinition } from '../../rules/controller-definition';
import { allKinds, knownKinds } from '../../rules/known-kinds';
import type { IndexedObject, ObjectIndex } from '../../rules/objects';
import type { ContextFields, InstalledController } from './check-context';
import { CONTROLLER_FIELDS, OTHER_CONTROLLER_FIELDS } from './context-fields.facts';

const AZURE: Readonly<Record<string, (() => ILoadBalancerController) | undefined>> = {
  standard: () => AzureCloudProvider.standard(),
  multipleStandard: () => AzureCloudProvider.multipleStandard(),
  basic: () => AzureCloudProvider.basic(),
};

const MAKE: Readonly<Record<string, (options: Json) => ILoadBalancerController>> = {
  [AWS_LBC_CONTROLLER]: ({ version, ...options }) =>
    version === undefined
      ? AwsLoadBalancerController.nlb(options)
      : AwsLoadBalancerController._installedNlb(options, version),
  [AWS_CLOUD_CONTROLLER]: ({ version, nlbSecurityGroups }) => {
    const known = version === undefined ? undefined : KubernetesVersion.of(version);
    return nlbSecurityGroups === undefined
      ? AwsCloudProvider.nlb({ version: known })
      : AwsCloudProvider._installedNlb({ version: known }, nlbSecurityGroups);
  },
  [AZURE_CONTROLLER]: ({ sku }) => AZURE[sku]?.() ?? AzureCloudProvider._kind.definition.installed(),
  [GKE_CONTROLLER]: ({ generation }) => Gke.passthrough({ generation }),
  [METALLB_CONTROLLER]: ({ version, mode, loadBalancerClass, namespace }) => {
    const options = {
      loadBalancerClass,
      namespace,
      version: version === undefined ? undefined : MetalLbVersion.of(version),
    };
    return mode === 'bgp' ? MetalLb.bgp(options) : MetalLb.layer2(options);
  },
};

export const VARIANT_OPTIONS: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  [AWS_LBC_CONTROLLER]: { serviceMutatorWebhook: { serviceMutatorWebhook: true } },
  [AZURE_CONTROLLER]: { multipleStandard: { sku: 'multipleStandard' }, basic: { sku: 'basic' } },
  [GKE_CONTROLLER]: {
    legacy: { generation: GkeLoadBalancerGeneration.LEGACY },
    legacyClass: { generation: GkeLoadBalancerGeneration.LEGACY_CLASS },
    backendServiceAnnotation: { generation: GkeLoadBalancerGeneration.BACKEND_SERVICE_ANNOTATION },
  },
  [METALLB_CONTROLLER]: { layer2: { mode: 'layer2' }, bgp: { mode: 'bgp' } },
};

export function optionsOf(controller: string): ContextFields {
  return Object.hasOwn(CONTROLLER_FIELDS, controller) ? CONTROLLER_FIELDS[controller] : OTHER_CONTROLLER_FIELDS;
}

export function findKind(name: string): ControllerDefinition | undefined {
  return allKinds().find((kind) => kind.name === name);
}

/** A controller with its options, as rules ask it. @throws on an option that the controller would refuse */
export function controllerOf({ name, options }: InstalledController): ILoadBalancerController {
  const make = Object.hasOwn(MAKE, name) ? MAKE[name] : undefined;
  return make && Object.keys(options).length > 0
    ? make(options)
    : (knownKinds()
        .find((kind) => kind.name === name)
        ?.installed() ?? other(name, options));
}

/** A vendor's controller; one that no table has takes Services without a class unless classes are named. */
function other(name: string, { classes }: Readonly<Json>): ILoadBalancerController {
  const { name: called = name, takesClassless = true, ...known } = findOtherController(name) ?? { classes: [] };
  const kind = findKind(name);
  return new InstalledOtherController(
    kind?.name ?? called,
    classes ?? known.classes,
    classes === undefined && takesClassless,
    kind,
  );
}

/** Stands for controllers that nobody names: it cannot be asked, so that a Service that no other one claims has an unknown owner, and not none. */
export function unnamedController(name: string): ILoadBalancerController {
  return {
    name,
    bind() {
      throw new Error('it is not known which controller this is; nothing can be bound to it');
    },
  };
}

export function controllerNames(): string[] {
  return [...knownKinds().map(({ name }) => name), ...VENDOR_MARKS.map(({ id }) => id)];
}

export function inWords({ name, options }: InstalledController): string {
  const called = findOtherController(name)?.name ?? name;
  return typeof options.version === 'string' ? `${called} ${options.version.replace(/^v/, '')}` : called;
}

export function areSame(one: InstalledController, other: InstalledController): boolean {
  const [its, others] = [one, other].map(({ options }) => JSON.stringify(Object.entries(options).sort()));
  return one.name === other.name && its === others;
}

export function joinWords(texts: readonly string[]): string {
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts[texts.length - 1]}`;
}

/** Controllers that their ConfigMaps, or releases of their charts, have take Services of their classes alone. */
export function leavingClassless(index: ObjectIndex): { value: InstalledController; by: readonly IndexedObject[] }[] {
  return VENDOR_MARKS.flatMap(({ id, classes, leavesClassless }) => {
    if (!leavesClassless) {
      return [];
    }
    const { config, settings, chart, values } = leavesClassless;
    const has = (data: Json, wanted: Readonly<Record<string, readonly string[]>>) =>
      Object.entries(wanted).every(([key, texts]) => texts.includes(String(data[key] ?? '')));
    const configs = index.of('', 'ConfigMap').filter(({ name }) => name === config);
    const releases = index.all.flatMap((object) =>
      releasesIn(object.json).flatMap((one) => (one.chart === chart ? { object, spec: one.resource.spec } : [])),
    );
    const isSet =
      configs.every(({ json }) => settings.some((all) => has(mapIn(json, 'data'), all))) &&
      releases.every(({ spec }) => has(spec, values));
    const by = [...configs, ...releases.map(({ object }) => object)];
    return by.length > 0 && isSet ? [{ value: { name: id, options: { classes } }, by }] : [];
  });
}
