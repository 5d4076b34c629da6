import { ApiObject } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';

import { CLUSTER_LABEL } from '../../kafka/operator/operator-services.facts';
import { serves } from '../../kafka/operator/operators-in-app';
import { KAFKA_TOPIC_KIND, STRIMZI_GROUP } from '../../kafka/strimzi/strimzi.facts';
import { StrimziVersion } from '../../kafka/strimzi/strimzi-version';
import { JudgedObject, type ObjectJudge } from '../../rules/judged-object';
import { Judgement } from '../../rules/rule';
import { objectsIn } from '../app-services';
import { someOf } from '../served-services';
import { type AppResource, operatorsOf, resourcesOf } from '../strimzi/app';
import { type Server, serversIn } from './direction';
import { OWNERS_WAIT_SINCE, SYNC_WAVE } from './facts';

/** The warning about a Kafka that is gone before what it owns. */
export const ORDER_OWNER_REFERENCES = {
  id: 'order-owner-references',
  severity: 'warning',
  says: 'A Kafka in a later wave than its controllers is gone only after its Services.',
} as const;

/** The warning about topics that go with their Kafka. */
export const ORDER_TOPICS = {
  id: 'order-topics',
  severity: 'warning',
  says: 'KafkaTopics are in a later wave than their Kafka, and go first.',
} as const;

/** The name of the order in messages. */
const WHO = 'InstallationOrder';

/** What is judged: a construct that several orders put into the same wave is judged once. */
const JUDGED = new WeakSet<IConstruct>();

/**
 * Has the Kafka resources and the installations of a construct judged that is put into a wave of Argo CD.
 *
 * @param construct the construct
 * @param neighbours all constructs of its wave, itself among them
 * @param before those of the waves before
 */
export function judgeWave(
  construct: IConstruct,
  neighbours: readonly IConstruct[],
  before: readonly IConstruct[],
): void {
  const object = kafkasIn(construct)[0]?.object ?? serversIn([construct])[0]?.judged;
  if (!object || JUDGED.has(construct)) {
    return;
  }
  JUDGED.add(construct);
  // nothing of its own is written
  new JudgedObject(
    construct as Construct,
    { chart: object.chart, kind: WHO, name: `wave of ${construct.node.path}`, metadata: {} },
    { rendered: () => ({}) },
    new WaveJudge(construct, neighbours, before),
  );
}

/** The Kafka resources in a construct. */
function kafkasIn(construct: IConstruct): AppResource[] {
  return resourcesOf(construct).kafkas.filter(({ object }) => object.node.scopes.includes(construct));
}

class WaveJudge implements ObjectJudge {
  public constructor(
    private readonly construct: IConstruct,
    private readonly neighbours: readonly IConstruct[],
    private readonly before: readonly IConstruct[],
  ) {}

  public judge(): Judgement {
    const judgement = new Judgement();
    judgement.warnings = [
      ...kafkasIn(this.construct).flatMap((kafka) => [...this.unawaited(kafka), ...this.topics(kafka)]),
      ...inTooLateWaves(this.construct, WHO),
    ];
    return judgement;
  }

  /** Argo CD goes on when the Kafka is gone, and what it owns may be there yet. */
  private unawaited(kafka: AppResource): LoadBalancerFinding[] {
    const operator = operatorsOf(this.construct).find((each) => each.installation && serves(each, kafka.object));
    const version = kafka.strimzi ?? operator?.installation?.settings.version;
    return this.before.length === 0 || !version || version.isAtLeast(StrimziVersion.of(OWNERS_WAIT_SINCE))
      ? []
      : [
          {
            ruleId: ORDER_OWNER_REFERENCES.id,
            who: WHO,
            what: `Strimzi ${version.version} lets Kafka ${kafka.object.name} go before the Services that it owns: Argo CD then deletes the waves before, controllers among them, while balancers still stand`,
            remedy: `upgrade to Strimzi ${OWNERS_WAIT_SINCE} or newer, or delete this stage by itself and wait until its Services are gone`,
            value: version.version,
          },
        ];
  }

  /** Topics have a finalizer that the Topic Operator takes off, which goes with the Kafka. */
  private topics({ object, namespace }: AppResource): LoadBalancerFinding[] {
    const names = [...this.neighbours, ...this.before]
      .flatMap((construct) => construct.node.findAll())
      .filter((each): each is ApiObject => ApiObject.isApiObject(each))
      .filter(({ kind, apiGroup }) => kind === KAFKA_TOPIC_KIND && apiGroup === STRIMZI_GROUP)
      .filter(({ metadata }) => metadata.getLabel(CLUSTER_LABEL) === object.name && metadata.namespace === namespace)
      .map(({ name }) => name);
    return names.length === 0
      ? []
      : [
          {
            ruleId: ORDER_TOPICS.id,
            who: WHO,
            what: `KafkaTopic ${someOf(names)} is not in a later wave than Kafka ${object.name}: on deletion the Topic Operator may go first, and nobody takes the finalizers of topics off`,
            remedy: 'put KafkaTopics into a chart of a later stage',
          },
        ];
  }
}

/** The warning about a controller that is no wave ahead of what it serves. */
export const ORDER_WAVES = {
  id: 'order-waves',
  severity: 'warning',
  says: 'A controller is in an earlier wave than what it serves.',
} as const;

/** The wave that an object says; nobody renders it for that: to render an object that is judged here would judge again. */
export function saidWave({ metadata }: ApiObject): unknown {
  return metadata.toJson()?.annotations?.[SYNC_WAVE];
}

/** The latest wave of what a construct writes; what writes nothing by itself is in that of its scope. */
function waveOf({ node }: IConstruct): number | undefined {
  const inside = [...node.scopes].reverse().map(objectsIn);
  const objects = inside.find((found) => found.length > 0) ?? [];
  const waves = objects.map((object) => Number(saidWave(object) ?? Number.NaN));
  const known = waves.filter((wave) => !Number.isNaN(wave));
  return known.length === 0 ? undefined : Math.max(...known);
}

/** What an installation serves and outlives, by the waves of both. */
function outlivedBy({ installation, served }: Server, everything: readonly IConstruct[]): IConstruct[] {
  const own = waveOf(installation);
  return served(everything).filter((construct) => {
    const wave = waveOf(construct);
    return own !== undefined && wave !== undefined && own < wave;
  });
}

/**
 * Warnings about installations that are in no earlier wave than what they serve, whichever orders or patches put them there.
 *
 * @param construct the construct that holds the installations
 * @param who the name of the order in messages
 */
export function inTooLateWaves(construct: IConstruct, who: string): LoadBalancerFinding[] {
  const everything = [construct.node.root];
  const inTime = new Set(serversIn(everything).flatMap((server) => outlivedBy(server, everything)));
  return serversIn([construct]).flatMap(({ installation, served }) => {
    const own = waveOf(installation);
    const late = served(everything).filter(
      (each) => own !== undefined && waveOf(each) !== undefined && !inTime.has(each),
    );
    return late.length === 0
      ? []
      : [
          {
            ruleId: ORDER_WAVES.id,
            who,
            what: `${installation.node.path} is in wave ${own}, and what it serves is not in a later one (${someOf(late.map((each) => `${each.node.path} in wave ${waveOf(each)}`))}): on deletion the controller does not outlive it`,
            remedy:
              'put the installation into a stage before, or acknowledge it where the two are of different applications of Argo CD',
            value: String(own),
          },
        ];
  });
}
