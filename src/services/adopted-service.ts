import type { ApiObject } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import { bindTo } from '../contract/bound-plan';
import type { Json } from '../contract/json';
import { RenderStage, renderBy, renderingOf } from '../contract/late-rendering';
import { LoadBalancerRequest } from '../contract/load-balancer-request';
import type { LoadBalancerFinding, LoadBalancerPlan } from '../contract/options';
import { workloadIn } from '../contract/pod-placement';
import { apiObjectsIn } from '../contract/synth-run';
import { definitionOf, unwrapped } from '../rules/controller-definition';
import type { PlannedLoadBalancer } from '../rules/options';
import type { BalancedObject } from '../rules/synth-object';
import { validateProps } from '../rules/warnings';
import { balanceService } from './balance-service';
import { ExportedService, liveFindings, ownershipOf } from './live-service';
import { ManifestPlace } from './manifest-place';
import { contradictionsIn, portsIn, wishesIn, withManifest, withPlan } from './manifest-plan';
import type { AdoptedServiceProps } from './options';

/**
 * Renders a plan into a Service that exists as an ApiObject, from `Include` for instance. Ports, selector, name and
 * everything else stay; what the manifest says already counts as wished for, unless the props say otherwise. Where it
 * contradicts the plan, the synth fails: nothing of the manifest is overwritten in silence.
 *
 * A manifest of type LoadBalancer that does not say who can reach its balancer, in the terms of the controller, is public on
 * many clouds, so `scheme` must be set then. And a class cannot be given to a Service that is live without one, nor taken
 * away: for such a Service choose a controller object that claims it in the way in which it is claimed already. What the API
 * server wrote into a manifest that was exported from a cluster (uid, status, cluster IPs, node ports) is left out.
 *
 * @example
 * new AdoptedService(chart, 'Existing', {
 *   service: new Include(chart, 'Yaml', { url: 'service.yaml' }),
 *   controller: AzureCloudProvider.standard(),
 *   scheme: LoadBalancerScheme.INTERNAL,
 * });
 */
export class AdoptedService extends Construct {
  /** The Service, for patches and dependencies. */
  public readonly service: ApiObject;

  /** Plan of the controller. */
  public readonly plan: LoadBalancerPlan;

  private readonly balanced: BalancedObject;

  /**
   * Adopts a Service.
   *
   * @param props what is adopted, and what is wished for
   * @throws when `service` holds no Service or several, or `workload` no workload or several
   */
  public constructor(scope: Construct, id: string, props: AdoptedServiceProps) {
    validateProps(scope, id, 'AdoptedServiceProps', props);
    super(scope, id);

    const service = serviceIn(props.service);
    if (ADOPTED.has(service)) {
      throw new Error(`${this.node.path}: ${service.node.path} is adopted already; a Service has one owner`);
    }
    ADOPTED.add(service);
    const render = renderingOf(service, RenderStage.WRITE);
    const read = render();
    const exported = new ExportedService(read);
    const manifest = exported.withoutServerFields(read);
    const written = () => exported.withoutServerFields(render());
    const { controller, service: _, workload, manifestFile, ...wishes } = props;
    const kind = definitionOf(controller);
    const place = new ManifestPlace(read, manifestFile);
    const request = new LoadBalancerRequest({ ...wishesIn(manifest, kind), ports: portsIn(manifest) }).with(wishes);
    const answer = bindTo(controller, this, request);
    const ofManifest = (problems: readonly LoadBalancerFinding[] = []) =>
      withManifest(problems, manifest, wishes, place);
    const plan: LoadBalancerPlan = { ...answer.plan, problems: ofManifest(answer.plan.problems) };
    const bound = { ...answer, plan, problems: ofManifest(answer.problems) };
    const live = liveFindings(manifest, plan, request, controller, ownershipOf(manifest, controller, exported.isLive));
    const claims = kind && ((json: Json) => kind.claim(json, unwrapped(controller)).claimed !== 'no');

    this.service = service;
    this.plan = plan;
    this.balanced = balanceService({
      host: this,
      target: service,
      rendering: {
        rendered: () => withPlan(written(), plan, request),
        contradictions: () => contradictionsIn(written(), { plan, request, kind, place, claims }),
      },
      controller,
      bound,
      request,
      workload: workload && workloadIn(workload),
      isWritten: true,
      problems: live.problems,
      warnings: [...live.warnings, ...exported.findings],
    });
    // the plan goes in after the lazy values and the patches of the adopted object, whenever those are added
    renderBy(service, RenderStage.WRITE, () => this.balanced.write());
  }

  /** Number of load balancers that this creates, and the Service. */
  public get loadBalancers(): PlannedLoadBalancer {
    return this.balanced.planned;
  }

  /**
   * Fails every later synth in which the balancer or its address would be lost: by a changed field, another name or namespace,
   * or because this construct is gone. Writes an annotation into the Service. The app needs a `LoadBalancerProtection`, which knows
   * what is applied and which losses are accepted.
   */
  public protect(): void {
    this.balanced.protect(this.service);
  }
}

const ADOPTED = new WeakSet<ApiObject>();

function serviceIn(construct: IConstruct): ApiObject {
  const found = apiObjectsIn(construct).filter(({ kind, apiGroup }) => kind === 'Service' && apiGroup === 'core');
  if (found.length !== 1) {
    const paths = found.map((child) => child.node.path).join(', ');
    const seen = found.length === 0 ? 'no Service' : `several Services: ${paths}`;
    throw new Error(`${construct.node.path}: there is ${seen}; pass the ApiObject of one Service`);
  }
  return found[0];
}
