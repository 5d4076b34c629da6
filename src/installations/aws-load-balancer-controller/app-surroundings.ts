import type { ApiObject, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Json } from '../../contract/json';
import { lookAt } from '../../rules/judge-object';
import { isClusterScoped } from '../cluster-scoped';
import { selects } from '../label-selector';
import { GATEWAY_API_GROUP, INGRESS_CLASS } from './installation.facts';
import type { ObjectInApp } from './installation-rule';

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

/** Objects of an installation that its chart has from somebody else, or from an installation before it, as well. */
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
