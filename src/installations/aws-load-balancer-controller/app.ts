import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { compareVersions } from '../../contract/compare-versions';
import { isMap, type Json, list } from '../../contract/json';
import { VERSION_LABEL } from '../../contract/kubernetes.facts';
import { flagsAmong, wordsOf } from '../../contract/program-flags';
import { AWS_LBC_CONTROLLER } from '../../controllers/aws-load-balancer-controller/annotations';
import type { IndexedObject, ObjectIndex } from '../../rules/objects';
import { SynthWatch } from '../../rules/synth-watch';
import { VERSION_TAG } from '../workloads';
import {
  FLAGS,
  GATEWAY_API_GROUP,
  NAME_LABEL,
  OLDEST_VERSION,
  OWN_FLAGS,
  SERVICE_WEBHOOK_NAME,
} from './installation.facts';
import type { OtherInstallation } from './installation-rule';

/** Flags without a next word. */
const BOOLEAN_FLAGS = new Set(FLAGS.filter(({ takes }) => takes === 'boolean').map(({ flag }) => flag));

/** Constructs that install the controller. */
const HOSTS = new WeakSet<Construct>();

/** Remembers an installation with its Deployment. */
export function settleController(host: Construct, deployment: ApiObject): void {
  HOSTS.add(host);
  SynthWatch.of(host).represent(deployment);
}

/** The CRDs of a name, finished. */
export function crdsNamed(index: ObjectIndex, name: string): Json[] {
  return index
    .of('apiextensions.k8s.io', 'CustomResourceDefinition')
    .filter((object) => object.name === name)
    .map(({ json }) => json);
}

/** The GatewayClasses. */
export function gatewayClassesIn(index: ObjectIndex): readonly IndexedObject[] {
  return index.of(GATEWAY_API_GROUP, 'GatewayClass');
}

function isOfInstallation({ scopes }: IndexedObject): boolean {
  return scopes.some((scope) => HOSTS.has(scope as Construct));
}

/** The Deployments that run the controller. */
export function controllersIn(index: ObjectIndex): readonly IndexedObject[] {
  return index.once(controllersIn, () =>
    index
      .of('apps', 'Deployment')
      .filter(
        (object) =>
          (isOfInstallation(object) && object.isJudged) ||
          object.label(NAME_LABEL) === AWS_LBC_CONTROLLER ||
          runsController(object.json),
      ),
  );
}

/** Of two that rules validate the second one reports; beside one that no rule validates, the other does. */
export function othersThan(deployment: IndexedObject): OtherInstallation[] {
  const all = controllersIn(deployment.index);
  const place = all.indexOf(deployment);
  return all
    .filter((other, i) => other !== deployment && (i < place || !other.isJudged))
    .map((other) => ({
      path: other.path,
      inChart: other.unit === deployment.unit,
      deployment: other.json,
      serviceAccount: serviceAccountOf(other)?.json,
    }));
}

/** The ServiceAccount that a workload runs as, where it is known. */
export function serviceAccountOf(workload: IndexedObject): IndexedObject | undefined {
  const { index, namespace, json } = workload;
  const name = json.spec?.template?.spec?.serviceAccountName;
  return name === undefined ? undefined : index.nearest(workload, '', 'ServiceAccount', { namespace, name });
}

/** Whether a webhook of the controller gives its class to Services. */
export function hasServiceWebhook({ index, namespace }: IndexedObject): boolean {
  return index
    .of('admissionregistration.k8s.io', 'MutatingWebhookConfiguration')
    .flatMap(({ json }) => list<Json>(json.webhooks))
    .some(
      (webhook) => webhook?.name === SERVICE_WEBHOOK_NAME && webhook.clientConfig?.service?.namespace === namespace,
    );
}

/** The version that the image or the label of a finished Deployment shows, where it is one that is known here or newer. */
export function versionIn(deployment: Json): string | undefined {
  const image = String(containerOf(deployment).image ?? '');
  const label = deployment.metadata?.labels?.[VERSION_LABEL];
  const version = VERSION_TAG.exec(image)?.[1] ?? /^v?(\d+\.\d+\.\d+)$/.exec(String(label))?.[1];
  return version !== undefined && compareVersions(version, OLDEST_VERSION) >= 0 ? version : undefined;
}

/** The container of the controller in its finished Deployment. */
export function containerOf(deployment: Json): Json {
  const containers = containersOf(deployment);
  return (
    containers.find(({ name }) => name === AWS_LBC_CONTROLLER) ?? containers.find(isController) ?? containers[0] ?? {}
  );
}

/** Whether a finished Deployment runs the controller, whatever it is called. */
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

/** The flags of a finished Deployment; of a flag that is set twice the last one counts. */
export function flagsOf(deployment: Json): Readonly<Record<string, string>> {
  return flagsIn(containerOf(deployment));
}

/** Every rule asks for the flags: those of a finished container are read once. */
const READ = new WeakMap<Json, Readonly<Record<string, string>>>();

function flagsIn(container: Json): Readonly<Record<string, string>> {
  const read = READ.get(container) ?? readFlags(container);
  READ.set(container, read);
  return read;
}

function readFlags(container: Json): Record<string, string> {
  return Object.fromEntries(
    flagsAmong(wordsOf(container), (flag) => BOOLEAN_FLAGS.has(flag)).map(({ name, value }) => [name, value]),
  );
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

/** The gates that a finished Deployment says, as texts. */
export function gatesIn(deployment: Json): Record<string, string> {
  return Object.fromEntries(pairsIn(flagsOf(deployment)['feature-gates']).map(([gate, value = '']) => [gate, value]));
}
