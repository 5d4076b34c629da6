import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { type Json, list } from '../../contract/json';
import type { Citation } from '../../contract/kubernetes.facts';
import type { KubernetesVersion } from '../../contract/kubernetes-version';
import { NAMESPACES } from '../../kafka/strimzi/strimzi.facts';
import { StrimziVersion } from '../../kafka/strimzi/strimzi-version';
import type { IndexedObject } from '../../rules/objects';
import { VERSION_TAG } from '../objects';
import type { ServedContext } from '../served-services';
import type { SomeVersions } from '../tables';
import { isIn } from './crd-faults';
import type { StrimziClusterOperatorInstallationProps } from './options';

export interface OperatorSettings {
  readonly props: StrimziClusterOperatorInstallationProps;
  readonly version: StrimziVersion;
  readonly gates: ReadonlyMap<string, boolean>;
  readonly name: string;
  readonly namespace?: string;
  readonly replicas: number;
  readonly leaderElection: boolean;
  readonly createsClusterScoped: boolean;
}

export function watchesAll({ watchNamespaces = [] }: Pick<OperatorSettings['props'], 'watchNamespaces'>): boolean {
  return watchNamespaces.includes(NAMESPACES.all);
}

/** As the operator reads them: `+One,-Other`. */
export function gatesText(gates: ReadonlyMap<string, boolean>): string {
  return [...gates].map(([name, on]) => `${on ? '+' : '-'}${name}`).join(',');
}

/** True if the version says of the gate of server-side apply something else than the release does by itself. */
export function gateSetBy(version: StrimziVersion): boolean | undefined {
  const { keepsForeignFinalizers } = version;
  return StrimziVersion.of(version.version).keepsForeignFinalizers === keepsForeignFinalizers
    ? undefined
    : keepsForeignFinalizers;
}

export function rowsOf<Row extends SomeVersions>(version: StrimziVersion, rows: readonly Row[]): Row[] {
  return rows.filter((row) => isIn(version, row));
}

export const WHO = 'strimzi';

export interface Operator {
  readonly host: Construct;
  readonly object: ApiObject;
  readonly settings: OperatorSettings;
}

export interface InstalledOperator extends ServedContext {
  readonly among: IndexedObject;
  readonly version?: StrimziVersion;
  /** Props of an installation; unset if there is only a manifest. */
  readonly settings?: OperatorSettings;
  /** The definitions that were found, and why they are not those of the version; unset where there are none. */
  readonly definitions?: CrdDefinitions;
  readonly wantsDefinitions?: boolean;
  readonly kubernetes?: KubernetesVersion;
}

export interface CrdDefinitions {
  readonly origin: string;
  readonly faults: readonly string[];
}

export function upstream(file: string): Citation {
  return { repository: 'strimzi/strimzi-kafka-operator', version: '1.2.0', file };
}

export function variablesOf(deployment: Json): Map<string, string> {
  const containers = list<Json>(deployment.spec?.template?.spec?.containers);
  const env = containers.flatMap((container) => list<Json>(container?.env));
  return new Map(env.filter((each) => typeof each?.value === 'string').map(({ name, value }) => [name, value]));
}

export function versionIn(deployment: Json): StrimziVersion | undefined {
  try {
    const tag = tagIn(deployment);
    return tag === undefined ? undefined : StrimziVersion.of(tag);
  } catch {
    return undefined; // older than what is known here
  }
}

export function isOlderThanFacts(deployment: Json): boolean {
  return tagIn(deployment) !== undefined && versionIn(deployment) === undefined;
}

function tagIn(deployment: Json): string | undefined {
  return list<Json>(deployment.spec?.template?.spec?.containers)
    .map((container) => VERSION_TAG.exec(String(container?.image ?? ''))?.[1])
    .find((text) => text !== undefined);
}
