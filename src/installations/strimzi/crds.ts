import { ApiObject, type ApiObjectProps, Yaml } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import { isMap, type Json } from '../../contract/json';
import { removeNamespace } from '../../contract/late-rendering';
import { apiObjectsIn } from '../../contract/synth-run';
import { currentJson } from '../../rules/app-objects';
import { isDefinition, releaseFileUrl } from './crd-faults';

/**
 * The custom resource definitions of a release of Strimzi: ten kinds, without any of which the operator does not start.
 *
 * They are the vendor's own, from the file `strimzi-crds-VERSION.yaml` of the release. Synth checks that they are those of the
 * version that is installed.
 *
 * Deleting the definitions deletes every Kafka of the cluster: give them a chart of their own if your deployment tool deletes
 * objects that are gone from a chart.
 *
 * @see https://github.com/strimzi/strimzi-kafka-operator/releases
 */
export class StrimziCrds {
  /**
   * Definitions from a file, which the installation writes as they are.
   *
   * @param path a file of YAML documents; other objects in it, such as those of the whole installation, are left out
   * @throws when it is a URL (what is written must not depend on what is there at the time), or not text
   */
  public static fromFile(path: string): StrimziCrds {
    if (typeof path !== 'string') {
      throw new Error(`strimzi: definitions cannot be read from ${JSON.stringify(path)}; pass the path of a file`);
    }
    if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path)) {
      throw new Error(
        `strimzi: definitions cannot be read from '${path}' at every synth; fetch the file once and commit it`,
      );
    }
    return new StrimziCrds(path, (scope, isWritten) => {
      const definitions = load(path).filter(isMap).filter(isDefinition);
      if (isWritten) {
        write(scope, path, definitions);
      }
      return definitions;
    });
  }

  /**
   * Definitions that another construct of the app writes: the installation checks them, and writes none.
   *
   * @param construct `Include`, a chart, or any construct that holds them
   * @throws when it is not a construct
   */
  public static fromManifest(construct: IConstruct): StrimziCrds {
    if (!Construct.isConstruct(construct)) {
      throw new Error(
        'strimzi: fromManifest() takes the construct that holds the definitions; pass the Include or the chart',
      );
    }
    return new StrimziCrds(construct.node.path, () =>
      apiObjectsIn(construct)
        .filter(({ kind, apiVersion, name }) => isDefinition({ kind, apiVersion, metadata: { name } }))
        .map((object) => currentJson(object)),
    );
  }

  private constructor(
    /** The file or the construct that has them, for messages. */
    public readonly origin: string,
    private readonly read: (scope: Construct, isWritten: boolean) => Json[],
  ) {}

  /** The definitions; if the installation writes them, with objects for them below a construct. @internal */
  public _readFor(scope: Construct, isWritten: boolean): Json[] {
    return this.read(scope, isWritten);
  }
}

function write(scope: Construct, path: string, definitions: readonly Json[]): void {
  const group = new Construct(scope, 'Crds');
  for (const definition of definitions) {
    const { name } = definition.metadata;
    if (group.node.tryFindChild(name)) {
      throw new Error(`${scope.node.path}: ${path} has ${name} twice; pass the file of one release`);
    }
    removeNamespace(new ApiObject(group, name, definition as Json & ApiObjectProps));
  }
}

function load(path: string): unknown[] {
  try {
    return Yaml.load(path);
  } catch (error) {
    // cdk8s reads files in a process of its own
    const reason = (error as Error).message.startsWith('Command failed') ? 'there is no such file' : 'it is not YAML';
    throw new Error(
      `strimzi: definitions cannot be read from '${path}': ${reason}; fetch it once from ${releaseFileUrl('VERSION')}`,
    );
  }
}
