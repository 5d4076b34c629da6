import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { reaches } from '../../contract/compare-versions';
import { type Json, objectNameOf } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/options';
import { someOf } from '../../contract/rule';
import { apiObjectsIn } from '../../contract/synth-run';
import { serves } from '../../kafka/operator/cluster-operators';
import { CLUSTER_LABEL, KAFKA_TOPIC_KIND, STRIMZI_GROUP } from '../../kafka/strimzi/strimzi.facts';
import type { StrimziVersion } from '../../kafka/strimzi/strimzi-version';
import { appIndexOf, constructOf, entryOf } from '../../rules/app-objects';
import type { IndexedObject } from '../../rules/objects';
import type { Rule } from '../../rules/rule';
import { RuleSet } from '../../rules/rule-set';
import { warnOf } from '../../rules/warnings';
import { cloudServicesIn } from '../aws-cloud-controller-manager/controllers';
import { AwsCloudControllerManagerInstallation } from '../aws-cloud-controller-manager/installation';
import { isFor } from '../aws-load-balancer-controller/controllers';
import { AwsLoadBalancerControllerInstallation } from '../aws-load-balancer-controller/installation';
import { type BalancedService, servicesOf } from '../balanced-services';
import { type AppResource, operatorsOf, resourcesOf } from '../strimzi/app';
import { ORDER_SOURCES, OWNERS_WAIT_SINCE, SYNC_WAVE } from './order.facts';

const WHO = 'InstallationOrder';

interface KafkaWave {
  /** True if there are waves before, which are deleted after it. */
  readonly hasEarlier: boolean;
  readonly strimzi?: StrimziVersion;
  readonly topics: readonly string[];
}

export const KAFKA_WAVE_RULES: readonly Rule<KafkaWave>[] = [
  {
    id: 'wave-kafka-deleted-before-services',
    severity: 'warning',
    says: 'Kafka of a Strimzi that deletes it before its Services, in a wave behind its controllers',
    source: ORDER_SOURCES.owners,
    needs: ['strimzi'],
    check: ({ metadata }, { hasEarlier, strimzi }) =>
      !hasEarlier || !strimzi || reaches(strimzi, OWNERS_WAIT_SINCE)
        ? undefined
        : {
            what: `Strimzi ${strimzi.version} lets Kafka ${objectNameOf({ metadata })} go before the Services that it owns: Argo CD then deletes the waves before, controllers among them, while balancers still exist`,
            remedy: `upgrade to Strimzi ${OWNERS_WAIT_SINCE} or newer, or delete this stage by itself and wait until its Services are gone`,
            value: strimzi.version,
            at: '/metadata/annotations',
          },
  },
  {
    id: 'wave-topic-before-kafka',
    severity: 'warning',
    says: 'KafkaTopic that is not in a later wave than its Kafka',
    source: ORDER_SOURCES.topics,
    check: ({ metadata }, { topics }) =>
      topics.length === 0
        ? undefined
        : {
            what: `KafkaTopic ${someOf(topics)} is not in a later wave than Kafka ${objectNameOf({ metadata })}: on deletion the Topic Operator may go first, and the finalizers of topics stay`,
            remedy: 'put KafkaTopics into a chart of a later stage',
            at: '/metadata/annotations',
          },
  },
];

interface InstallationWave {
  readonly path: string;
  readonly wave?: number;
  /** Object that it serves and does not outlive. */
  readonly late: readonly { readonly path: string; readonly wave?: number }[];
}

export const INSTALLATION_WAVE_RULES: readonly Rule<InstallationWave>[] = [
  {
    id: 'wave-order-reversed',
    severity: 'warning',
    says: 'controller that is not in an earlier wave than what it serves',
    source: ORDER_SOURCES.waves,
    needs: ['wave'],
    check: (_, { path, wave, late }) =>
      late.length === 0
        ? undefined
        : {
            what: `${path} is in wave ${wave}, and what it serves is not in a later one (${someOf(late.map((each) => `${each.path} in wave ${each.wave}`))}): on deletion the controller does not outlive it`,
            remedy:
              'put the installation into a stage before, or acknowledge it if the two are of different applications of Argo CD',
            value: String(wave),
            at: '/metadata/annotations',
          },
  },
];

const OF_KAFKA = new RuleSet(KAFKA_WAVE_RULES, WHO);
const OF_INSTALLATION = new RuleSet(INSTALLATION_WAVE_RULES, WHO);

/** A construct that several orders put into the same wave is validated once. */
const CHECKED = new WeakSet<IConstruct>();

export function checkWave(
  construct: IConstruct,
  neighbours: readonly IConstruct[],
  before: readonly IConstruct[],
): void {
  if (!CHECKED.has(construct) && (kafkasIn(construct).length > 0 || serversIn([construct]).length > 0)) {
    CHECKED.add(construct);
    warnOf(construct, () => [
      ...kafkasIn(construct).flatMap((kafka) => kafkaFindings(kafka, neighbours, before)),
      ...installationFindings(construct),
    ]);
  }
}

function kafkasIn(construct: IConstruct): AppResource[] {
  return resourcesOf(appIndexOf(construct)).kafkas.filter(({ object }) => object.scopes.includes(construct));
}

function kafkaFindings(
  { object, namespace, strimzi }: AppResource,
  neighbours: readonly IConstruct[],
  before: readonly IConstruct[],
): readonly LoadBalancerFinding[] {
  const operator = operatorsOf(object.index).find((each) => each.installation && serves(each, object));
  const topics = [...neighbours, ...before]
    .flatMap(apiObjectsIn)
    .filter(({ kind, apiGroup }) => kind === KAFKA_TOPIC_KIND && apiGroup === STRIMZI_GROUP)
    .filter(({ metadata }) => metadata.getLabel(CLUSTER_LABEL) === object.name && metadata.namespace === namespace)
    .map(({ name }) => name);
  return OF_KAFKA.check(headOf(object), {
    hasEarlier: before.length > 0,
    strimzi: strimzi ?? operator?.installation?.settings.version,
    topics,
  }).warnings;
}

/** Fields that these rules read; a Kafka renders all of its listeners. */
function headOf({ apiVersion, kind, name, namespace }: IndexedObject): Json {
  return { apiVersion, kind, metadata: { name, namespace } };
}

export function waveInManifest({ metadata }: ApiObject): unknown {
  return metadata.toJson()?.annotations?.[SYNC_WAVE];
}

/** The latest wave of the objects of a construct; a construct without objects is in the wave of its scope. */
function waveOf({ node }: IConstruct): number | undefined {
  const inside = [...node.scopes].reverse().map((scope) => apiObjectsIn(scope));
  const objects = inside.find((found) => found.length > 0) ?? [];
  const waves = objects.map((object) => Number(waveInManifest(object) ?? Number.NaN));
  const known = waves.filter((wave) => !Number.isNaN(wave));
  return known.length === 0 ? undefined : Math.max(...known);
}

function outlivedBy({ installation, served }: Server, everything: readonly IConstruct[]): IConstruct[] {
  const own = waveOf(installation);
  return served(everything).filter((construct) => {
    const wave = waveOf(construct);
    return own !== undefined && wave !== undefined && own < wave;
  });
}

/** Installations of a construct that are in no earlier wave than what they serve, whichever orders or patches put them there. */
function installationFindings(construct: IConstruct): LoadBalancerFinding[] {
  const everything = [construct.node.root];
  const inTime = new Set(serversIn(everything).flatMap((server) => outlivedBy(server, everything)));
  return serversIn([construct]).flatMap(({ installation, target, served }) => {
    const late = served(everything).filter((each) => !inTime.has(each) && waveOf(each) !== undefined);
    return OF_INSTALLATION.check(headOf(entryOf(target)), {
      path: installation.node.path,
      wave: waveOf(installation),
      late: late.map((each) => ({ path: each.node.path, wave: waveOf(each) })),
    }).warnings;
  });
}

export interface Server {
  readonly installation: IConstruct;
  readonly target: ApiObject;
  readonly served: (places: readonly IConstruct[]) => IConstruct[];
}

const isInside = (construct: IConstruct, places: readonly IConstruct[]) =>
  places.some((place) => construct.node.scopes.includes(place));

function ofServices(
  installation: IConstruct & { readonly clusterRole: ApiObject },
  services: readonly BalancedService[],
): Server {
  // the last scope of what asks for a balancer is the construct itself
  const hosts = services.map(({ scopes }) => scopes[scopes.length - 1] as IConstruct);
  return {
    installation,
    target: installation.clusterRole,
    served: (places) => hosts.filter((host) => isInside(host, places)),
  };
}

function serverOf(construct: IConstruct): Server[] {
  if (construct instanceof AwsCloudControllerManagerInstallation) {
    return [ofServices(construct, cloudServicesIn(appIndexOf(construct), servicesOf(construct)))];
  }
  if (construct instanceof AwsLoadBalancerControllerInstallation) {
    const claiming = construct._claiming;
    const services = servicesOf(construct).filter((service) => isFor(claiming, service));
    return [ofServices(construct, services)];
  }
  const operator = ApiObject.isApiObject(construct)
    ? operatorsOf(appIndexOf(construct)).find(({ installation }) => installation?.object === construct)
    : undefined;
  return operator
    ? [
        {
          installation: operator.installation?.host ?? construct,
          target: construct as ApiObject,
          served: (places) =>
            resourcesOf(appIndexOf(construct)).kafkas.flatMap(({ object }) => {
              const kafka = constructOf(object);
              return kafka && isInside(kafka, places) && serves(operator, object) ? [kafka] : [];
            }),
        },
      ]
    : [];
}

export function serversIn(constructs: readonly IConstruct[]): Server[] {
  return constructs.flatMap((construct) => construct.node.findAll().flatMap(serverOf));
}

/**
 * Objects that are deleted after their own controller: on deletion the controller would go first. Whatever has another one in time, such as
 * that of its own cluster, is left out.
 *
 * @param constructs those of a stage
 * @param before those of the stages before
 */
export function reversedOrder(
  constructs: readonly IConstruct[],
  before: readonly IConstruct[],
): { readonly installation: IConstruct; readonly served: string } | undefined {
  if (before.length === 0) {
    return undefined;
  }
  const inTime = new Set(serversIn(before).flatMap(({ served }) => served(before)));
  for (const { installation, served } of serversIn(constructs)) {
    const late = served(before).filter((construct) => !inTime.has(construct));
    if (late.length > 0) {
      return { installation, served: someOf(late.map(({ node }) => node.path)) };
    }
  }
  return undefined;
}
