import { ApiObject, App, type JsonPatch, Lazy } from 'cdk8s';
import type { Construct } from 'constructs';
import { type BoundPlan, bindTo } from '../contract/bound-plan';
import type { Json } from '../contract/json';
import { isOverridden } from '../contract/late-rendering';
import { LoadBalancerRequest } from '../contract/load-balancer-request';
import type { LoadBalancerFinding, LoadBalancerPlan } from '../contract/options';
import { podSelectorOf, workloadIn } from '../contract/pod-placement';
import { findingOf } from '../contract/rule';
import { currentJson } from '../rules/app-objects';
import type { PlannedLoadBalancer } from '../rules/options';
import type { BalancedObject, Rendering } from '../rules/synth-object';
import { validateProps } from '../rules/warnings';
import { balanceService } from './balance-service';
import type { LoadBalancedServiceProps } from './options';
import { plainJson, writesPlainDataAsItIs } from './plain-rendering';
import { BAD_PROPS } from './rules.facts';
import { renderedAnnotations, renderedPorts, specOf } from './service-spec';

/**
 * A Service of type LoadBalancer that is right for the controller that owns it: finalizer, class, annotations, policy and
 * addresses come from one plan, and the finished manifest is validated by the rules of the API server and of the owner before
 * it is written.
 *
 * Internal unless the scheme says INTERNET_FACING. A setting that the controller cannot honour fails the synth, together
 * with every other error of the app. If a plan lacks something, use an option of the controller, then
 * `AnnotatedController`, then a JSON patch on this object, which is validated, too.
 *
 * For a Service that exists already as a manifest there is `AdoptedService`.
 *
 * @see https://kubernetes.io/docs/concepts/services-networking/service/#loadbalancer
 * @example
 * new LoadBalancedService(chart, 'Public', {
 *   controller: AwsLoadBalancerController.nlb({ targetType: NlbTargetType.IP }),
 *   workload: echo,
 *   ports: [{ port: 443, targetPort: 8080 }],
 *   scheme: LoadBalancerScheme.INTERNET_FACING,
 * });
 */
export class LoadBalancedService extends ApiObject {
  private static readonly rendering: Rendering = {
    rendered: (target) => (target as LoadBalancedService).rendered(),
    isOverridden: (target) =>
      (target as LoadBalancedService).toJson !== LoadBalancedService.prototype.toJson &&
      isOverridden(target as LoadBalancedService),
  };

  /** Plan of the controller. */
  public readonly plan: LoadBalancerPlan;

  private readonly balanced: BalancedObject;
  private readonly spec: Record<string, unknown>;
  private patched = false;

  /**
   * A Service behind a load balancer.
   *
   * @param props the requested Service
   * @throws when `workload` holds no workload, or several
   */
  public constructor(scope: Construct, id: string, props: LoadBalancedServiceProps) {
    validateProps(scope, id, 'LoadBalancedServiceProps', props);
    // the plan needs this object as a scope, so the spec is filled when there is one
    const spec: Record<string, unknown> = {};
    super(scope, id, { apiVersion: 'v1', kind: 'Service', metadata: metadataOf(props), spec });

    this.spec = spec;
    const workload = props.workload && workloadIn(props.workload);
    const request = new LoadBalancerRequest(props);
    const bound = bindTo(props.controller, this, request);
    this.plan = bound.plan;

    const selector = workload
      ? Lazy.any({ produce: () => ({ ...podSelectorOf(currentJson(workload)) }) })
      : (props.selector ?? undefined);
    const ports = renderedPorts(Array.isArray(request.ports) ? request.ports : []);
    Object.assign(spec, specOf(bound.plan, request, { ports, selector }));
    this.describe(bound, request);

    this.balanced = balanceService({
      host: this,
      target: this,
      rendering: LoadBalancedService.rendering,
      controller: props.controller,
      bound,
      request,
      workload,
      problems: selectorFault(props),
    });
  }

  /** The Service itself, for patches and dependencies. */
  public get service(): ApiObject {
    return this;
  }

  /** The planned load balancers: their number, and this object. */
  public get loadBalancers(): PlannedLoadBalancer {
    return this.balanced.planned;
  }

  /**
   * Fails every later synth in which the balancer or its address would be lost: by a changed field, another name or namespace,
   * or because this construct is gone. Writes an annotation into the Service. The app needs a `LoadBalancerProtection`, which knows
   * what is applied and which losses are accepted.
   */
  public protect(): void {
    this.balanced.protect(this);
  }

  /** The finished Service, validated. */
  // biome-ignore lint/suspicious/noExplicitAny: the signature of cdk8s
  public toJson(): any {
    return this.balanced.write();
  }

  /**
   * Applies JSON patches to the finished Service. It is validated with them.
   *
   * @param ops RFC 6902 operations
   */
  public addJsonPatch(...ops: JsonPatch[]): void {
    this.patched = true;
    super.addJsonPatch(...ops);
    this.balanced.changed();
  }

  /** The rendering of cdk8s, by a shorter way if everything is plain data: most of a large app is. */
  private rendered(): Json {
    const spec = !this.patched && writesPlainDataAsItIs(App.of(this)) ? plainJson(this.spec) : undefined;
    return spec === undefined
      ? super.toJson()
      : { apiVersion: this.apiVersion, kind: this.kind, metadata: this.metadata.toJson(), spec };
  }

  private describe({ plan }: BoundPlan, request: LoadBalancerRequest): void {
    const annotations = renderedAnnotations(plan, request);
    for (const key in annotations) {
      this.metadata.addAnnotation(key, annotations[key]);
    }
    for (const key in plan.labels) {
      this.metadata.addLabel(key, plan.labels[key]);
    }
    if (plan.finalizers && plan.finalizers.length > 0) {
      this.metadata.addFinalizers(...plan.finalizers);
    }
  }
}

/** There is one way to say which pods are behind the Service. */
function selectorFault({ workload, selector }: LoadBalancedServiceProps): LoadBalancerFinding[] | undefined {
  const hasSelector = Object.keys(selector ?? {}).length > 0;
  const form = workload ? selector && 'both' : !hasSelector && 'neither';
  return form ? [findingOf(BAD_PROPS, { case: form }, 'LoadBalancedService')] : undefined;
}

function metadataOf({ name, namespace, labels }: LoadBalancedServiceProps): Record<string, unknown> {
  return name === undefined ? { namespace, labels } : { name, namespace, labels };
}
