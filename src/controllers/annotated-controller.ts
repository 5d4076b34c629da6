import type { Construct } from 'constructs';
import { refuseWrongValue } from '../contract/declared-types';
import { labelKeyFault, labelValueFault } from '../contract/kubernetes-syntax';
import type { ILoadBalancerController, LoadBalancerRequest } from '../contract/load-balancer-request';
import type { LoadBalancerFinding, LoadBalancerPlan } from '../contract/options';
import { SAID_TWICE } from '../contract/request-rules.facts';
import { findingOf } from '../contract/rule';

const TEXTS = '{string}';

/**
 * Any controller, with annotations and labels of your own on its Services: for keys that this library does not know yet,
 * and for those of other programs.
 *
 * Annotations that the controller writes cannot be overwritten: a key with two values is a problem. The rules of the
 * controller read the added annotations like all others, so a value that it would refuse is still an error.
 *
 * Wrap last: a controller that can share its balancer is shared first, `AnnotatedController.of(metalLb.shared('dns'))`.
 */
export class AnnotatedController implements ILoadBalancerController {
  /**
   * A controller with additions.
   *
   * @param controller the controller that answers
   * @param annotations annotations to add; all values are strings, as Kubernetes demands
   * @param labels labels to add; none without
   * @throws when there is nothing to add, or a key or value that Kubernetes would refuse
   */
  public static of(
    controller: ILoadBalancerController,
    annotations: { [key: string]: string },
    labels: { [key: string]: string } = {},
  ): AnnotatedController {
    refuseWrongValue('AnnotatedController.of', 'annotations', TEXTS, annotations);
    refuseWrongValue('AnnotatedController.of', 'labels', TEXTS, labels);
    return new AnnotatedController(controller, annotations, labels);
  }

  /** The name of the controller that answers. */
  public readonly name: string;

  /** @internal */
  public readonly _inner: ILoadBalancerController;

  private constructor(
    controller: ILoadBalancerController,
    private readonly annotations: Record<string, string>,
    private readonly labels: Record<string, string>,
  ) {
    this.name = controller.name;
    this._inner = controller;
    const fault = faultOf(annotations, labels);
    if (fault) {
      throw new Error(`${controller.name}: ${fault}`);
    }
  }

  /**
   * The answer of the controller, with the additions.
   *
   * @param scope parent of side objects
   * @param request the wishes
   */
  public bind(scope: Construct, request: LoadBalancerRequest): LoadBalancerPlan {
    const plan = this._inner.bind(scope, request);
    return {
      ...plan,
      annotations: { ...this.annotations, ...plan.annotations },
      labels: { ...this.labels, ...plan.labels },
      problems: [
        ...(plan.problems ?? []),
        ...clashes(plan.owner, 'annotation', this.annotations, plan.annotations ?? {}),
        ...clashes(plan.owner, 'label', this.labels, plan.labels ?? {}),
      ],
    };
  }
}

function clashes(
  who: string,
  what: string,
  added: Record<string, string>,
  written: Record<string, string>,
): LoadBalancerFinding[] {
  return Object.entries(added)
    .filter(([key, value]) => written[key] !== undefined && written[key] !== value)
    .map(([key, value]) =>
      findingOf(
        SAID_TWICE,
        {
          what: `${what} ${key} is added as '${value}', but the controller writes '${written[key]}'`,
          remedy: "leave it out, or set it by the controller's options or the request",
          value,
        },
        who,
      ),
    );
}

function faultOf(annotations: Record<string, string>, labels: Record<string, string>): string | undefined {
  const keys = [...Object.keys(annotations), ...Object.keys(labels)];
  if (keys.length === 0) {
    return 'AnnotatedController has nothing to add; pass annotations or labels, or use the controller itself';
  }
  const odd = Object.entries(annotations).find(([, value]) => typeof value !== 'string');
  if (odd) {
    return `annotation ${odd[0]} is the ${typeof odd[1]} ${odd[1]}; write it as a string: '${odd[1]}'`;
  }
  const fault = [...keys.map(labelKeyFault), ...Object.values(labels).map(labelValueFault)].find(Boolean);
  return fault ? `AnnotatedController cannot add what Kubernetes refuses, ${fault}; correct it` : undefined;
}
