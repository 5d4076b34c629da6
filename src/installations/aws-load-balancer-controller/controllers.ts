import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { compareVersions } from '../../contract/compare-versions';
import { isMap, type Json, list } from '../../contract/json';
import { VERSION_LABEL } from '../../contract/kubernetes.facts';
import { wordsOf } from '../../contract/program-flags';
import { AWS_LBC_CONTROLLER } from '../../controllers/aws-load-balancer-controller/annotations';
import { AwsLoadBalancerController } from '../../controllers/aws-load-balancer-controller/controller';
import { setChecked } from '../../rules/app-objects';
import type { IndexedObject, ObjectIndex } from '../../rules/objects';
import { classOf } from '../../rules/service-json';
import type { BalancedService } from '../balanced-services';
import { FlagTable } from '../flags';
import { VERSION_TAG } from '../objects';
import type { ServedContext } from '../served-services';
import {
  FLAGS,
  GATEWAY_API_GROUP,
  KUBE_SYSTEM,
  NAME_LABEL,
  OLDEST_VERSION,
  OWN_FLAGS,
  SERVICE_WEBHOOK_NAME,
} from './installation.facts';

export const FLAG_TABLE = new FlagTable(FLAGS);

export interface OtherInstallation {
  readonly path: string;
  /** True if it is in the chart of this one, which is applied to one cluster. */
  readonly inChart: boolean;
  readonly deployment: Json;
  readonly serviceAccount?: Json;
}

export interface InstallationContext extends ServedContext {
  readonly serviceAccount?: Json;
  /** True if flags and gates are those that are known here, and no newer ones. */
  readonly isKnownVersion?: boolean;
  readonly version?: string;
  readonly writesCrds?: boolean;
  /** True if the Gateway API of the cluster is known where these objects do not have it: an installation says it. */
  readonly saysGatewayApi?: boolean;
  readonly gatewayApiCrds?: string;
  readonly findCrds: (name: string) => readonly Json[];
  /** The GatewayClasses, where this is the only installation. */
  readonly gatewayClasses: readonly IndexedObject[];
  /** Installations before this one, and those that no rule validates. */
  readonly others: readonly OtherInstallation[];
  readonly nlbOnly?: boolean;
  readonly claiming: ClassClaim;
  /** The Services; unset where there are several controllers, since each Service may be for any of them. */
  readonly services?: readonly BalancedService[];
}

export interface ClassClaim {
  readonly loadBalancerClass: string;
  readonly webhook: boolean;
  readonly namespace?: string;
}

export function serves({ loadBalancerClass, webhook }: ClassClaim, service: Json): boolean {
  const given = classOf(service);
  return given === undefined
    ? webhook || AwsLoadBalancerController._kind.definition.claim(service, undefined).claimed === 'yes'
    : given === loadBalancerClass;
}

export function isIgnoredByWebhook({ namespace: given }: BalancedService, { namespace }: ClassClaim): boolean {
  return given !== undefined && [KUBE_SYSTEM, namespace].includes(given);
}

/** True if a Service of the app is for an installation; for a plain manifest, its fields decide. */
export function isFor(claiming: ClassClaim, service: BalancedService): boolean {
  const { loadBalancerClass } = claiming;
  return service.owner === undefined
    ? serves({ ...claiming, webhook: claiming.webhook && !isIgnoredByWebhook(service, claiming) }, service.json())
    : service.owner === AWS_LBC_CONTROLLER && (service.loadBalancerClass ?? loadBalancerClass) === loadBalancerClass;
}

const HOSTS = new WeakSet<Construct>();

export function registerController(host: Construct, deployment: ApiObject): void {
  HOSTS.add(host);
  setChecked(deployment);
}

export function findCrds(index: ObjectIndex, name: string): Json[] {
  return index
    .of('apiextensions.k8s.io', 'CustomResourceDefinition')
    .filter((object) => object.name === name)
    .map(({ json }) => json);
}

export function gatewayClassesIn(index: ObjectIndex): readonly IndexedObject[] {
  return index.of(GATEWAY_API_GROUP, 'GatewayClass');
}

function isOfInstallation({ scopes }: IndexedObject): boolean {
  return scopes.some((scope) => HOSTS.has(scope as Construct));
}

export function controllersIn(index: ObjectIndex): readonly IndexedObject[] {
  return index.once(controllersIn, () =>
    index
      .of('apps', 'Deployment')
      .filter(
        (object) =>
          (isOfInstallation(object) && object.isChecked) ||
          object.label(NAME_LABEL) === AWS_LBC_CONTROLLER ||
          runsController(object.json),
      ),
  );
}

/** Of two that rules validate the second one reports; beside one that no rule validates, the other does. */
export function otherInstallations(deployment: IndexedObject): OtherInstallation[] {
  const all = controllersIn(deployment.index);
  const place = all.indexOf(deployment);
  return all
    .filter((other, i) => other !== deployment && (i < place || !other.isChecked))
    .map((other) => ({
      path: other.path,
      inChart: other.unit === deployment.unit,
      deployment: other.json,
      serviceAccount: serviceAccountOf(other)?.json,
    }));
}

export function serviceAccountOf(workload: IndexedObject): IndexedObject | undefined {
  const { index, namespace, json } = workload;
  const name = json.spec?.template?.spec?.serviceAccountName;
  return name === undefined ? undefined : index.nearest(workload, '', 'ServiceAccount', { namespace, name });
}

export function hasServiceWebhook({ index, namespace }: IndexedObject): boolean {
  return index
    .of('admissionregistration.k8s.io', 'MutatingWebhookConfiguration')
    .flatMap(({ json }) => list<Json>(json.webhooks))
    .some(
      (webhook) => webhook?.name === SERVICE_WEBHOOK_NAME && webhook.clientConfig?.service?.namespace === namespace,
    );
}

export function versionIn(deployment: Json): string | undefined {
  const image = String(containerOf(deployment).image ?? '');
  const label = deployment.metadata?.labels?.[VERSION_LABEL];
  const version = VERSION_TAG.exec(image)?.[1] ?? /^v?(\d+\.\d+\.\d+)$/.exec(String(label))?.[1];
  return version !== undefined && compareVersions(version, OLDEST_VERSION) >= 0 ? version : undefined;
}

export function containerOf(deployment: Json): Json {
  const containers = containersOf(deployment);
  return (
    containers.find(({ name }) => name === AWS_LBC_CONTROLLER) ?? containers.find(isController) ?? containers[0] ?? {}
  );
}

function runsController(deployment: Json): boolean {
  return containersOf(deployment).some(isController);
}

function containersOf(deployment: Json): Json[] {
  return list<Json>(deployment.spec?.template?.spec?.containers).filter(isMap);
}

/** By its image, or where that has another name in a registry of one's own, by its flags. */
function isController(container: Json): boolean {
  const [image] = String(container.image ?? '').split(/[@]|:[^/]*$/);
  const flags = flagsIn(container);
  return (
    image.split('/').pop() === AWS_LBC_CONTROLLER ||
    (flags['cluster-name'] !== undefined && OWN_FLAGS.some((flag) => flags[flag] !== undefined))
  );
}

export function flagsOf(deployment: Json): Readonly<Record<string, string>> {
  return flagsIn(containerOf(deployment));
}

/** Every rule asks for the flags: those of a finished container are read once. */
const READ = new WeakMap<Json, Readonly<Record<string, string>>>();

function flagsIn(container: Json): Readonly<Record<string, string>> {
  const read = READ.get(container) ?? FLAG_TABLE.read(wordsOf(container));
  READ.set(container, read);
  return read;
}

/** Pairs as the controller reads them; text between two commas without a sign of equality has no value. */
export function pairsIn(text: string | undefined): [key: string, value: string | undefined][] {
  return (text ?? '')
    .split(',')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [key, ...value] = pair.split('=');
      return [key.trim(), value.length > 0 ? value.join('=').trim() : undefined];
    });
}

export function gatesIn(deployment: Json): Record<string, string> {
  return Object.fromEntries(pairsIn(flagsOf(deployment)['feature-gates']).map(([gate, value = '']) => [gate, value]));
}
