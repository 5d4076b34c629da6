import { ApiObject, type Duration } from 'cdk8s';
import { Construct } from 'constructs';
import { dnsNameFault } from '../contract/kubernetes-syntax';
import { judgeObject } from '../rules/judge-object';
import { judgeProps } from '../rules/judge-props';
import { FLUX_API_VERSION, FLUX_KIND, FLUX_NAMESPACE, FLUX_SOURCES } from './order.facts';
import { FluxStageJudge } from './order-flux-judge';

/**
 * A folder of manifests that Flux applies, and what comes before it.
 */
export interface FluxStageProps {
  /** The folder, as seen from the root of the source: `./dist/system`. */
  readonly path: string;

  /** The name of the source. */
  readonly sourceName: string;

  /**
   * The kind of the source.
   *
   * @default 'GitRepository'
   */
  readonly sourceKind?: string;

  /**
   * What must be there before this, such as the controllers that serve it.
   *
   * @default - nothing
   */
  readonly after?: FluxStage[];

  /**
   * How often Flux looks for differences.
   *
   * @default Duration.minutes(10)
   */
  readonly interval?: Duration;

  /**
   * How long it may take to be applied, and on deletion to be gone. When that is over, Flux lets go: what is deleted after it,
   * such as the controller, goes although balancers still stand. Give it the time that all balancers of the stage need.
   *
   * @default Duration.minutes(15)
   */
  readonly timeout?: Duration;

  /**
   * Whether Flux deletes what is no longer in the folder.
   *
   * @default true
   */
  readonly prune?: boolean;

  /**
   * The name of the object. One cluster has a name once.
   *
   * @default - the id of the construct
   */
  readonly name?: string;

  /**
   * The namespace of the object and of its source.
   *
   * @default 'flux-system'
   */
  readonly namespace?: string;
}

/** A duration as Go writes it. */
function goDuration(duration: Duration | undefined, usual: string): string {
  return duration ? `${duration.toSeconds()}s` : usual;
}

function nameFault(name: string): string | undefined {
  const fault = dnsNameFault(name);
  return fault && `${fault}; write a name`;
}

function pathFault(path: string): string | undefined {
  if (path.trim() === '') {
    return 'the path is empty, which is the whole source; write a folder';
  }
  return path.split('/').includes('..')
    ? `the path '${path}' leads out of the source; write it as seen from the root of that`
    : undefined;
}

function sourceFault(name: string, kind: string): string | undefined {
  const fault = dnsNameFault(name);
  if (fault) {
    return `sourceName: ${fault}; write the name of the source`;
  }
  return FLUX_SOURCES.includes(kind)
    ? undefined
    : `sourceKind '${kind}' is none; write one of ${FLUX_SOURCES.join(', ')}`;
}

function isSeconds(duration: Duration): boolean {
  const milliseconds = duration.toMilliseconds();
  return milliseconds >= 1000 && milliseconds % 1000 === 0;
}

function timeFault({ interval, timeout }: FluxStageProps): string | undefined {
  const option = Object.entries({ interval, timeout }).find(
    ([, duration]) => duration !== undefined && !isSeconds(duration),
  )?.[0];
  return option === undefined
    ? undefined
    : `${option} is no whole number of seconds, of at least 1; write one, or leave it out`;
}

/**
 * A Kustomization of Flux that keeps an order: it is applied when everything in `after` is ready, and if it is deleted, Flux
 * waits until its objects are gone (`deletionPolicy: WaitForTermination`, kustomize-controller 1.6 or newer).
 *
 * **Flux does not look at `dependsOn` when it deletes.** Where two Kustomizations are deleted at once, by a parent that is
 * pruned as well, both go at once: delete the last stage by hand, wait until it is gone, and then delete the one before.
 *
 * @see https://fluxcd.io/flux/components/kustomize/kustomizations/#dependencies
 */
export class FluxStage extends Construct {
  /** The object, for patches. */
  public readonly resource: ApiObject;

  /** The name of the object. */
  public readonly stageName: string;

  /** The namespace of the object. */
  public readonly namespace: string;

  /**
   * A stage.
   *
   * @param scope its chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props what is applied, and after what
   * @throws when a name or the kind of the source is none, when the path is empty or leads out of the source, or a time is no whole
   * number of seconds
   */
  public constructor(scope: Construct, id: string, props: FluxStageProps) {
    judgeProps(scope, id, 'FluxStageProps', props);
    super(scope, id);
    this.stageName = props.name ?? id;
    this.namespace = props.namespace ?? FLUX_NAMESPACE;
    const { after = [], sourceKind = FLUX_SOURCES[0] } = props;
    const fault =
      nameFault(this.stageName) ??
      pathFault(props.path) ??
      sourceFault(props.sourceName, sourceKind) ??
      timeFault(props);
    if (fault) {
      throw new Error(`[${this.node.path}] flux: ${fault} (flux-stage)`);
    }
    const twice = after.find((stage, i) => after.indexOf(stage) !== i);
    if (twice) {
      throw new Error(
        `[${this.node.path}] flux: after names stage '${twice.stageName}' twice; name each stage once (flux-stage)`,
      );
    }
    this.resource = new ApiObject(this, 'Resource', {
      apiVersion: FLUX_API_VERSION,
      kind: FLUX_KIND,
      metadata: { name: this.stageName, namespace: this.namespace },
      spec: {
        ...(after.length > 0 && {
          dependsOn: after.map(({ stageName, namespace }) => ({
            name: stageName,
            ...(namespace !== this.namespace && { namespace }),
          })),
        }),
        deletionPolicy: 'WaitForTermination',
        interval: goDuration(props.interval, '10m0s'),
        path: props.path,
        prune: props.prune ?? true,
        sourceRef: { kind: sourceKind, name: props.sourceName },
        timeout: goDuration(props.timeout, '15m0s'),
        wait: true,
      },
    });
    judgeObject(this, this.resource, new FluxStageJudge(this.resource));
  }
}
