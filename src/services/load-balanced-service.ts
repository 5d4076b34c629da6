import { ApiObject, Lazy } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import { bindTo } from '../contract/bound-plan';
import type { Json } from '../contract/late-rendering';
import type { ILoadBalancerController } from '../contract/load-balancer-controller';
import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import type { LoadBalancerPlan } from '../contract/load-balancer-plan';
import type { LoadBalancerPort } from '../contract/load-balancer-port';
import { LoadBalancerRequest } from '../contract/load-balancer-request';
import type { LoadBalancerWishes } from '../contract/load-balancer-wishes';
import { podSelectorOf, workloadIn } from '../contract/workload';
import { BalancedObject } from '../rules/balanced-object';
import type { PlannedLoadBalancer } from '../rules/load-balancers';
import { contradictionsIn, portsIn, wishesIn, withPlan } from './adopted-service';
import { placementFindings } from './placement-findings';
import { judgeService } from './service-judge';
import { renderedAnnotations, renderedPorts, specOf } from './service-spec';

/**
 * A Service behind a load balancer.
 */
export interface LoadBalancedServiceProps extends LoadBalancerWishes {
  /** The component that will own the balancer. */
  readonly controller: ILoadBalancerController;

  /**
   * The ports to balance.
   *
   * @default - those of `service`; required without it
   */
  readonly ports?: LoadBalancerPort[];

  /**
   * The workload behind the Service: a Deployment, StatefulSet, DaemonSet or the like of any cdk8s-plus line, from
   * `Include`, or an ApiObject. The Service selects its pods, and the two are checked against each other.
   *
   * @default - the pods of `selector`
   */
  readonly workload?: IConstruct;

  /**
   * The labels of the pods behind the Service. Not together with `workload`.
   *
   * @default - the selector of `workload`, or the one that `service` has
   */
  readonly selector?: { [key: string]: string };

  /**
   * A Service that exists already as an ApiObject, from `Include` for instance: the plan is rendered into it, its ports,
   * selector, name and everything else stay. What it says already counts as wished for; where it contradicts the plan,
   * the synth fails.
   *
   * @default - a new Service is made
   */
  readonly service?: IConstruct;

  /**
   * The name of the Service. A Service that is renamed later gets a new balancer.
   *
   * @default - made by cdk8s from the construct path
   */
  readonly name?: string;

  /**
   * The namespace of the Service.
   *
   * @default - the one of the chart
   */
  readonly namespace?: string;

  /**
   * Labels of the Service.
   *
   * @default - those of the chart
   */
  readonly labels?: { [key: string]: string };
}

/**
 * A Service of type LoadBalancer that is right for the controller that owns it: finalizer, class, annotations, policy and
 * addresses come from one plan, and the finished manifest is judged by the rules of the API server and of the owner before
 * it is written.
 *
 * Internal unless the scheme says INTERNET_FACING. What the controller cannot honour fails the synth, together with every
 * other problem of the app. Where a plan falls short of what you need: an option of the controller, then
 * `AnnotatedController`, then a JSON patch on `service`, which is judged like everything else.
 *
 * @see https://kubernetes.io/docs/concepts/services-networking/service/#loadbalancer
 */
export class LoadBalancedService extends Construct {
  /** The Service, for patches and dependencies. */
  public readonly service: ApiObject;

  /** What the controller decided. */
  public readonly plan: LoadBalancerPlan;

  /**
   * A Service behind a load balancer.
   *
   * @param scope a chart, or a construct in one
   * @param id the name of the construct in its scope
   * @param props what is wished for
   * @throws when `workload` or `service` is no construct that holds one
   */
  public constructor(scope: Construct, id: string, props: LoadBalancedServiceProps) {
    super(scope, id);

    const workload = props.workload && workloadIn(props.workload);
    const existing = props.service && serviceIn(props.service);
    const manifest = existing?.toJson() as Json | undefined;

    const request = requestOf(props, manifest);
    const bound = bindTo(props.controller, this, request);
    this.plan = bound.plan;

    const placement = placementFindings(this.plan, request, workload);
    new BalancedObject({
      host: this,
      target: existing ?? this.newService(props, request, workload),
      plan: this.plan,
      problems: joined(
        bound.problems,
        propsFaults(props),
        placement.problems,
        manifest && contradictionsIn(manifest, this.plan, request),
      ),
      warnings: placement.warnings,
      change: existing && ((json) => withPlan(json, this.plan, request)),
      judge: judgeService({ controller: props.controller, plan: this.plan, request, workload }),
    });
    this.service = existing ?? (this.node.findChild('Resource') as ApiObject);
  }

  /** How many load balancers this makes, and for which Service. */
  public get loadBalancers(): PlannedLoadBalancer {
    return {
      path: this.node.path,
      kind: 'Service',
      name: this.service.name,
      namespace: this.service.metadata.namespace,
      plan: this.plan,
      loadBalancers: this.plan.loadBalancers ?? 1,
    };
  }

  private newService(props: LoadBalancedServiceProps, request: LoadBalancerRequest, workload?: ApiObject): ApiObject {
    const { plan } = this;
    return new ApiObject(this, 'Resource', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: {
        ...(props.name === undefined ? {} : { name: props.name }),
        namespace: props.namespace,
        labels: plan.labels ? { ...props.labels, ...plan.labels } : props.labels,
        annotations: renderedAnnotations(plan, request),
        finalizers: plan.finalizers,
      },
      spec: {
        ...specOf(plan, request),
        selector: workload ? Lazy.any({ produce: () => ({ ...podSelectorOf(workload.toJson()) }) }) : props.selector,
        ports: renderedPorts(request.ports),
      },
    });
  }
}

function requestOf(props: LoadBalancedServiceProps, manifest: Json | undefined): LoadBalancerRequest {
  if (!manifest) {
    return new LoadBalancerRequest({ ...props, ports: props.ports ?? [] });
  }
  return new LoadBalancerRequest({ ...wishesIn(manifest), ports: portsIn(manifest) }).with({ ...props, ports: undefined });
}

function serviceIn(construct: IConstruct): ApiObject {
  const found = construct.node
    .findAll()
    .filter((child): child is ApiObject => ApiObject.isApiObject(child) && child.kind === 'Service' && child.apiGroup === 'core');
  if (found.length !== 1) {
    const seen = found.length === 0 ? 'no Service' : `several Services: ${found.map((child) => child.node.path).join(', ')}`;
    throw new Error(`${construct.node.path}: there is ${seen}; pass the ApiObject of one Service`);
  }
  return found[0];
}

/** Props that exclude each other. */
function propsFaults(props: LoadBalancedServiceProps): LoadBalancerFinding[] | undefined {
  const say = (what: string, wayOut: string) => ({ ruleId: 'bad-props', who: 'LoadBalancedService', what, wayOut });
  const found: LoadBalancerFinding[] = [];
  if (props.service) {
    for (const prop of ['ports', 'selector', 'name', 'namespace', 'labels'] as const) {
      if (props[prop] !== undefined) {
        found.push(say(`${prop} and service are both given`, `leave ${prop} out: the existing Service keeps its own`));
      }
    }
  } else if (props.workload && props.selector) {
    found.push(say('workload and selector are both given', 'keep one'));
  }
  return found.length > 0 ? found : undefined;
}

const NONE: readonly LoadBalancerFinding[] = [];

function joined(...lists: (readonly LoadBalancerFinding[] | undefined)[]): readonly LoadBalancerFinding[] {
  return lists.every((list) => !list?.length) ? NONE : lists.flatMap((list) => list ?? []);
}
