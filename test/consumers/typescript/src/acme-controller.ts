import type { ILoadBalancerController, LoadBalancerPlan, LoadBalancerRequest } from 'cdk8s-load-balancers';
import { LoadBalancerWish, NodeRestriction } from 'cdk8s-load-balancers';
import type { Construct } from 'constructs';

/** The balancers of an Acme appliance, which this platform runs beside those of the cloud. */
export class AcmeController implements ILoadBalancerController {
  public readonly name = 'acme';

  public bind(_scope: Construct, request: LoadBalancerRequest): LoadBalancerPlan {
    const annotations: Record<string, string> = {
      'lb.acme.example/network': request.internetFacing ? 'internet' : 'office',
    };
    const answers: Record<string, string> = {};
    if (request.scheme !== undefined) {
      answers[LoadBalancerWish.SCHEME] = 'annotation lb.acme.example/network';
    }
    if (request.backendNodes !== undefined) {
      annotations['lb.acme.example/nodes'] = Object.entries(request.backendNodes.labels)
        .map(([key, value]) => `${key}=${value}`)
        .sort()
        .join(',');
      answers[LoadBalancerWish.BACKEND_NODES] = 'annotation lb.acme.example/nodes';
    }
    if (request.trafficPolicy !== undefined) {
      answers[LoadBalancerWish.TRAFFIC_POLICY] = 'externalTrafficPolicy';
    }
    return {
      owner: this.name,
      loadBalancerClass: 'lb.acme.example/appliance',
      finalizers: ['lb.acme.example/cleanup'],
      annotations,
      ...(request.trafficPolicy !== undefined && { externalTrafficPolicy: request.trafficPolicy }),
      nodeRestriction: request.backendNodes === undefined ? NodeRestriction.NONE : NodeRestriction.ON_SERVICE,
      answers,
    };
  }
}
