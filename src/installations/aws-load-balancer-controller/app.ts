import type { ApiObject, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import { isMap, type Json, list } from '../../contract/json';
import { AWS_LBC } from '../../controllers/aws-load-balancer-controller/annotations';
import { lookAt } from '../../rules/judge-object';
import { isClusterScoped } from '../cluster-scoped';
import { selects } from '../workloads';
import { GATEWAY_API_GROUP, INGRESS_CLASS, NAME_LABEL } from './facts';
import { OWN_FLAGS } from './flags.facts';
import type { ObjectInApp, OtherInstallation } from './installation-rule';

/** Constructs that install the controller. */
const HOSTS = new WeakSet<Construct>();

/** Remembers an installation. */
export function settleHost(host: Construct): void {
  HOSTS.add(host);
}

const seen = (object: ApiObject): ObjectInApp => ({ path: object.node.path, json: lookAt(object) });

/** The CRDs of a name, finished. */
export function crdsNamed(objects: readonly ApiObject[], name: string): Json[] {
  return objects.filter((object) => object.kind === 'CustomResourceDefinition' && object.name === name).map(lookAt);
}

/** The GatewayClasses of an app. */
export function gatewayClassesIn(objects: readonly ApiObject[]): ObjectInApp[] {
  return objects.filter(({ kind, apiGroup }) => kind === 'GatewayClass' && apiGroup === GATEWAY_API_GROUP).map(seen);
}

/** Whether a chart has an IngressClass of the controller. */
export function hasIngressClass(chart: Chart, objects: readonly ApiObject[]): boolean {
  return objects.some(
    (object) =>
      object.kind === 'IngressClass' &&
      object.chart === chart &&
      lookAt(object).spec?.controller === INGRESS_CLASS.controller,
  );
}

/**
 * The disruption budgets that hold for the pods of a Deployment, without those of installations: one of the same name in another
 * chart is for another cluster.
 */
export function budgetsOver(deployment: Json, objects: readonly ApiObject[]): ObjectInApp[] {
  const { namespace } = deployment.metadata ?? {};
  const labels = deployment.spec?.template?.metadata?.labels;
  return objects
    .filter((object) => object.kind === 'PodDisruptionBudget' && !isOfInstallation(object))
    .filter(({ metadata }) => metadata.namespace === namespace)
    .map(seen)
    .filter(({ json }) => selects(json.spec?.selector, labels));
}

/** Objects of an installation that its chart has a second time: third-party ones, or those of an installation before it. */
export function standingTwice(host: Construct, objects: readonly ApiObject[]): string[] {
  const inside = new Set(host.node.findAll());
  const place = objects.findIndex((object) => inside.has(object));
  const own = objects.filter((object) => inside.has(object));
  const names = new Map(own.map((object) => [identityOf(object, isClusterScoped(object)), object]));
  return objects
    .filter((other, i) => other.chart === own[0].chart && !inside.has(other) && (i < place || !isOfInstallation(other)))
    .filter((other) => names.has(identityOf(other, true)) || names.has(identityOf(other, false)))
    .map(({ kind, name, node }) => `${kind} ${name} (${node.path})`);
}

function identityOf({ apiGroup, kind, name, metadata }: ApiObject, isOfCluster: boolean): string {
  return [apiGroup, kind, name, isOfCluster ? '' : `in ${metadata.namespace}`].join('/');
}

function isOfInstallation(object: ApiObject): boolean {
  return object.node.scopes.some((scope) => HOSTS.has(scope as Construct));
}

/** Deployments of this library, and their service accounts. */
const OURS = new WeakMap<ApiObject, ApiObject>();

/** Remembers the Deployment of an installation. */
export function settleController(deployment: ApiObject, serviceAccount: ApiObject): void {
  OURS.set(deployment, serviceAccount);
}

/** The Deployments of an app that run the controller. */
export function controllersIn(objects: readonly ApiObject[]): ApiObject[] {
  return objects.filter(
    (object) =>
      object.kind === 'Deployment' &&
      (OURS.has(object) || object.metadata.getLabel(NAME_LABEL) === AWS_LBC || runsController(lookAt(object))),
  );
}

/** Of two installations the second one reports; beside a third-party manifest, the installation does. */
export function othersThan(deployment: ApiObject, all: readonly ApiObject[]): OtherInstallation[] {
  const place = all.indexOf(deployment);
  return all
    .filter((other, i) => other !== deployment && (i < place || !OURS.has(other)))
    .map((other) => {
      const serviceAccount = OURS.get(other);
      return {
        path: other.node.path,
        inChart: other.chart === deployment.chart,
        deployment: lookAt(other),
        serviceAccount: serviceAccount && lookAt(serviceAccount),
      };
    });
}

/** The container of the controller in its finished Deployment. */
export function containerOf(deployment: Json): Json {
  const containers = containersOf(deployment);
  return containers.find(({ name }) => name === AWS_LBC) ?? containers.find(isController) ?? containers[0] ?? {};
}

/** Whether a finished Deployment runs the controller, whatever it is called. */
export function runsController(deployment: Json): boolean {
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
    image.split('/').pop() === AWS_LBC ||
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
  const texts = [...list(container.command), ...list(container.args)].map(String);
  return Object.fromEntries(
    texts.flatMap((text, i) => {
      const match = /^--?([^=\s]+)(?:=(.*))?$/s.exec(text);
      return match ? [[match[1], match[2] ?? texts[i + 1] ?? '']] : [];
    }),
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
