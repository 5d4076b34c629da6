import { App } from 'cdk8s';
import type { ILoadBalancerController } from '../../contract/load-balancer-controller';
import type { LoadBalancerPlan } from '../../contract/load-balancer-plan';
import { LoadBalancerRequest } from '../../contract/load-balancer-request';
import { LoadBalancerScheme } from '../../contract/load-balancer-scheme';
import { sentenceOf } from '../../contract/sentence';

/** By what annotations a scheme is told from the other. */
export interface SchemeAnnotations {
  readonly loadBalancerClass: string;
  readonly annotations: { [key: string]: string };
  readonly forbiddenAnnotations: string[];
  readonly finalizers: readonly string[];
}

/** Compares what a controller plans for both schemes. */
export function schemeAnnotations(controller: ILoadBalancerController, scheme: LoadBalancerScheme): SchemeAnnotations {
  const wanted = planFor(controller, scheme);
  const { loadBalancerClass, finalizers = [], problems = [] } = wanted;
  if (problems.length > 0) {
    throw new Error(problems.map(sentenceOf).join('\n'));
  }
  if (loadBalancerClass === undefined) {
    throw new Error(
      `${controller.name}: it serves Services without a class, and tenants must name one; give the controller a class, or use AllowedClass.of()`,
    );
  }
  const { annotations: own = {} } = wanted;
  const { annotations: others = {} } = planFor(
    controller,
    scheme === LoadBalancerScheme.INTERNAL ? LoadBalancerScheme.INTERNET_FACING : LoadBalancerScheme.INTERNAL,
  );
  const annotations = Object.fromEntries(Object.entries(own).filter(([key, value]) => others[key] !== value));
  const forbiddenAnnotations = Object.keys(others).filter((key) => !(key in own));
  if (Object.keys(annotations).length + forbiddenAnnotations.length === 0) {
    throw new Error(
      `${controller.name}: no annotation of a Service says the scheme ${scheme}; use AllowedClass.of('${loadBalancerClass}') and restrict the scheme at the controller`,
    );
  }
  return { loadBalancerClass, annotations, forbiddenAnnotations, finalizers };
}

/** What would be planned for a Service, of which nothing is kept. */
function planFor(controller: ILoadBalancerController, scheme: LoadBalancerScheme): LoadBalancerPlan {
  return controller.bind(new App(), new LoadBalancerRequest({ ports: [{ port: 443 }], scheme }));
}
