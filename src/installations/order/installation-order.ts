import { Construct, type IConstruct } from 'constructs';
import { apiObjectsIn, validateOnce } from '../../contract/synth-run';
import { CONSTRUCT_RULES, refusal } from '../construct-rules';
import { SYNC_WAVE } from './order.facts';
import { checkWave, reversedOrder, waveInManifest } from './waves';

/** Effect of an option on one stage and those before. */
interface Means {
  readonly add: (constructs: readonly IConstruct[], before: readonly IConstruct[], index: number) => void;
}

function addWave(constructs: readonly IConstruct[], wave: string): void {
  const objects = constructs.flatMap(apiObjectsIn);
  for (const object of objects) {
    const own = waveInManifest(object);
    if (own !== undefined && own !== wave) {
      throw refusal(
        'stage-duplicate',
        `[${object.node.path}] InstallationOrder: ${object.kind} ${object.name} is in wave ${String(own)} and cannot be in wave ${wave}; name each construct in one stage`,
      );
    }
  }
  for (const object of objects) {
    object.metadata.addAnnotation(SYNC_WAVE, wave);
  }
  for (const construct of constructs) {
    validateOnce(construct, () =>
      apiObjectsIn(construct)
        .filter((object) => waveInManifest(object) === undefined)
        .map(
          ({ kind, name }) =>
            `InstallationOrder: ${kind} ${name} was added after its stage, and is in no wave; call stage() when everything is made (${CONSTRUCT_RULES['stage-object-added-later'].id})`,
        ),
    );
  }
}

/**
 * Sets the order in which tools apply, and above all delete: a controller must outlive what it serves. Nothing is ordered
 * unless you say so here.
 *
 * Stages follow each other: `argoCdSyncWaves().stage(controller).stage(operator).stage(kafka, services)`.
 */
export class InstallationOrder {
  /**
   * Annotations of Argo CD on every object: each stage is a wave. Argo CD waits until a wave is healthy before it applies the
   * next one, and deletes the last wave first. An application that is deleted waits for each wave to be gone, which a finalizer
   * of a Service delays until its balancer is (since 2.3.1, and only where the application has the finalizer of Argo CD for its
   * resources, in the foreground: with `/background` it waits for nothing that others own).
   *
   * The Services of a Kafka are in no wave: they belong to what Strimzi made them for, and are gone before it only from
   * Strimzi 0.49 on, with foreground deletion. A Kafka of an older Strimzi in a stage that has others before it gets a warning,
   * and so do KafkaTopics that are not in a later stage than their Kafka: the Topic Operator, which goes with the Kafka, must
   * remove their finalizers.
   *
   * A controller that is in no earlier wave than what it serves gets a warning, whichever orders put them there.
   *
   * It costs nothing but the annotations. Waves are compared within one application alone: for stages in several applications,
   * put the annotation on the applications, in one that makes them. A Service is healthy when it has an address, so a Service
   * that gets none holds up every wave behind it.
   *
   * @param firstWave the wave of the first stage; the others follow one by one
   * @throws when it is not a whole number
   * @see https://argo-cd.readthedocs.io/en/stable/user-guide/sync-waves/
   */
  public static argoCdSyncWaves(firstWave: number = 0): InstallationOrder {
    if (!Number.isInteger(firstWave)) {
      throw refusal('wave-invalid', `InstallationOrder: ${firstWave} is not a wave; write a whole number`);
    }
    return new InstallationOrder({
      add: (constructs, before, index) => {
        addWave(constructs, String(firstWave + index));
        for (const construct of constructs) {
          checkWave(construct, constructs, before);
        }
      },
    });
  }

  /**
   * Dependencies of cdk8s: charts are written in this order, and so are objects within one chart.
   *
   * All files of the app get a number before their name (`0000-system.k8s.yaml`), also those of charts that are in no stage, so
   * whatever names files must be changed. Each object of a stage depends on each object of the stages before: a synth of large
   * stages takes notably longer.
   *
   * It orders files and nothing else. `kubectl apply` takes them in that order and does not wait in between. **`kubectl delete
   * -f` takes them in the same order as well, controllers first**: delete the files of the last stage alone, wait, and go on
   * backwards.
   */
  public static cdk8sDependencies(): InstallationOrder {
    return new InstallationOrder({
      add: (constructs, before) => {
        for (const construct of constructs) {
          construct.node.addDependency(...before);
        }
      },
    });
  }

  private readonly stages: IConstruct[][] = [];

  private constructor(private readonly means: Means) {}

  /**
   * The next stage: applied after all stages before, and deleted before them. Call it when its constructs have all of their
   * objects.
   *
   * @param constructs installations, charts, Services, Kafka clusters
   * @returns the order, for the next stage
   * @throws when a construct, or one of its objects, is in another stage; when one has no objects; when an installation comes after
   *   what it serves
   */
  public stage(...constructs: IConstruct[]): InstallationOrder {
    const before = this.stages.flat();
    const [noConstruct] = constructs.filter((given) => !Construct.isConstruct(given)).map(String);
    if (noConstruct !== undefined) {
      throw refusal(
        'stage-without-construct',
        `InstallationOrder: '${noConstruct}' is not a construct; name installations, charts, Services or Kafka clusters`,
      );
    }
    const inside = (one: IConstruct, other: IConstruct) => one.node.scopes.includes(other);
    for (const construct of constructs) {
      const clash = before.find((other) => inside(construct, other) || inside(other, construct));
      if (clash) {
        throw refusal(
          'stage-duplicate',
          `[${construct.node.path}] InstallationOrder: it is in two stages: its own and that of ${clash.node.path}; name each construct in one stage`,
        );
      }
    }
    const empty = constructs.find((construct) => apiObjectsIn(construct).length === 0);
    if (constructs.length === 0 || empty) {
      throw refusal(
        'stage-empty',
        `${empty ? `[${empty.node.path}] ` : ''}InstallationOrder: ${empty ? 'it has no objects' : 'a stage has no constructs'}, and nothing is ordered; call stage() with constructs that have all of their objects`,
      );
    }
    const wrong = reversedOrder(constructs, before);
    if (wrong) {
      throw refusal(
        'stage-order-reversed',
        `[${wrong.installation.node.path}] InstallationOrder: it serves ${wrong.served} of an earlier stage, and would be deleted first; put it into a stage before that`,
      );
    }
    this.means.add(constructs, before, this.stages.length);
    this.stages.push([...constructs]);
    return this;
  }
}
