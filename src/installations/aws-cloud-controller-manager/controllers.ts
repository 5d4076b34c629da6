import { Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import { isMap, type Json, list } from '../../contract/json';
import { flagsAmong } from '../../contract/program-flags';
import { perApp } from '../../contract/synth-run';
import { AWS_CLOUD_CONTROLLER } from '../../controllers/aws-cloud-provider/annotations';
import { AwsCloudProvider } from '../../controllers/aws-cloud-provider/controller';
import { isUnresolved } from '../../identity/aws/aws-arn';
import { appIndexOf } from '../../rules/app-objects';
import { likelyOwner } from '../../rules/known-kinds';
import type { IndexedObject, ObjectIndex } from '../../rules/objects';
import type { BalancedService } from '../balanced-services';
import { METALLB_GROUP } from '../metal-lb/facts';
import { CCM, CCM_IMAGE_REPOSITORY, SERVICE_WEBHOOK } from './installation.facts';

const WORKLOADS = ['DaemonSet', 'Deployment'];

export interface ClusterOfInstallation {
  readonly clusterName: string;
  readonly region?: string;
  readonly vpcId?: string;
}

interface Installed {
  readonly host: Construct;
  readonly cluster: ClusterOfInstallation;
}

const installedIn = perApp((): Installed[] => []);

export function registerInstallation(host: Construct, cluster: ClusterOfInstallation): void {
  installedIn(host).push({ host, cluster });
}

/** The name of a cluster is taken in one region alone, and what is unknown may be equal. */
function mayBeEqual(one: string | undefined, other: string | undefined): boolean {
  return !one || !other || one === other || isUnresolved(one) || isUnresolved(other);
}

function areOfOneCluster(one: ClusterOfInstallation, other: ClusterOfInstallation): boolean {
  return (
    one.clusterName === other.clusterName && mayBeEqual(one.region, other.region) && mayBeEqual(one.vpcId, other.vpcId)
  );
}

function programsIn(workload: Json): string[][] {
  return list<Json>(workload.spec?.template?.spec?.containers)
    .filter(isMap)
    .map(({ image, command, args }) => [image, ...list(command), ...list(args)].map(String));
}

const [, ...IMAGE_PATH] = CCM_IMAGE_REPOSITORY.split('/');

function isCloudController([image, ...words]: readonly string[]): boolean {
  const [repository] = image.split(/[:@](?!.*\/)/);
  return (
    `/${repository}`.endsWith(`/${IMAGE_PATH.join('/')}`) ||
    [repository, ...words].some((word) => `/${word}`.endsWith(`/${CCM}`))
  );
}

function clusterNameIn(words: readonly string[]): string | undefined {
  return flagsAmong(words).find(({ name }) => name === 'cluster-name')?.value || undefined;
}

export function cloudControllersIn(index: ObjectIndex): readonly IndexedObject[] {
  return index.once(cloudControllersIn, () =>
    index.all
      .filter(({ group, kind }) => group === 'apps' && WORKLOADS.includes(kind))
      .filter(({ json }) => programsIn(json).some(isCloudController)),
  );
}

function isFor(clusterName: string, { json }: IndexedObject): boolean {
  return programsIn(json).some((words) => isCloudController(words) && clusterNameIn(words) === clusterName);
}

function thirdPartyOf({ host, cluster }: Installed, own: readonly Installed[]): IndexedObject | undefined {
  return cloudControllersIn(appIndexOf(host))
    .filter(({ scopes }) => !own.some((installed) => scopes.includes(installed.host)))
    .find((object) => object.unit === Chart.of(host) || isFor(cluster.clusterName, object));
}

/** Installations of the program for the same cluster: of two installations the first one, or else a third-party workload. */
export interface SameCluster {
  readonly clusterName: string;
  readonly path: string;
}

export function sameClusterAs(host: Construct): SameCluster | undefined {
  const all = installedIn(host);
  const own = all.findIndex((each) => each.host === host);
  const before = all
    .slice(0, own)
    .find((other) => Chart.of(other.host) === Chart.of(host) || areOfOneCluster(other.cluster, all[own].cluster));
  const path = before ? before.host.node.path : thirdPartyOf(all[own], all)?.path;
  const { clusterName } = before?.cluster ?? all[own].cluster;
  return path === undefined ? undefined : { clusterName, path };
}

/** @param placeOf the region and the VPC of a workload, as far as they are known */
export function otherOfSameCluster(
  among: IndexedObject,
  placeOf: (workload: IndexedObject) => Omit<ClusterOfInstallation, 'clusterName'>,
): SameCluster | undefined {
  const all = cloudControllersIn(among.index);
  const [words] = programsIn(among.json).filter(isCloudController);
  const clusterName = (words && clusterNameIn(words)) ?? '';
  const isSame = (other: IndexedObject) =>
    isFor(clusterName, other) &&
    areOfOneCluster({ clusterName, ...placeOf(among) }, { clusterName, ...placeOf(other) });
  const first = all.slice(0, all.indexOf(among)).find((other) => other.unit === among.unit || isSame(other));
  return first && { clusterName, path: first.path };
}

/** True if something else takes Services without a class: MetalLB, or a webhook that gives them one. */
function takesClassless(object: IndexedObject): boolean {
  return (
    object.group === METALLB_GROUP ||
    (object.kind === SERVICE_WEBHOOK.kind &&
      list<Json>(object.json.webhooks)
        .flatMap((webhook) => list<Json>(webhook?.rules))
        .some((rule) => isMap(rule) && list(rule.resources).includes(SERVICE_WEBHOOK.resource)))
  );
}

function isClassless({ json }: BalancedService): boolean {
  const service = json();
  const { name } = likelyOwner(service)?.kind ?? AwsCloudProvider._kind.definition;
  return name === AWS_CLOUD_CONTROLLER && AwsCloudProvider._kind.definition.claim(service, undefined).claimed === 'yes';
}

/**
 * Those of some Services that the service controller serves where it runs. Of a plain manifest, the manifest tells, unless there
 * is more that takes such Services.
 */
export function cloudServicesIn(index: ObjectIndex, services: readonly BalancedService[]): BalancedService[] {
  const isShared = index.once(takesClassless, () => index.all.some(takesClassless));
  return services.filter((service) =>
    service.owner === undefined ? !isShared && isClassless(service) : service.owner === AWS_CLOUD_CONTROLLER,
  );
}
