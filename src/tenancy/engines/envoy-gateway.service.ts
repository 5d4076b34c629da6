import { ApiObject, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import { bindTo } from '../../contract/bound-plan';
import type { Json } from '../../contract/json';
import { RenderStage, renderBy, renderingOf } from '../../contract/late-rendering';
import { LoadBalancerRequest } from '../../contract/load-balancer-request';
import { BalancedObject } from '../../rules/balanced-object';
import { ServiceJudge } from '../../services/service-judge';
import { renderedAnnotations } from '../../services/service-spec';
import { ENVOY_SELECTOR } from './envoy-gateway.facts';
import { envoyProxy } from './envoy-gateway.objects';
import type { EnvoyGatewayEngineOptions } from './envoy-gateway.options';
import type { BalancerAsk } from './shared-engine';

/** The proxies of one Gateway, and where their Service is made. */
export interface EnvoyProxies {
  readonly ask: BalancerAsk;
  readonly options: EnvoyGatewayEngineOptions;
  readonly replicas: number;
  readonly serviceNamespace: string;
}

/**
 * Makes the EnvoyProxy. The Service that Envoy Gateway will make of it is planned like every other, and judged as it will
 * be, patches of the EnvoyProxy included.
 */
export function balancedEnvoyProxy(scope: Construct, proxies: EnvoyProxies): void {
  const { ask, options, replicas, serviceNamespace } = proxies;
  const { controller, ...wishes } = options;
  const ports = [ask.ownPort, ...ask.ports].map((port) => ({ port, name: `port-${port}` }));
  const request = new LoadBalancerRequest({ ...wishes, dnsName: ask.hostname ?? wishes.dnsName, ports });
  const bound = bindTo(controller, scope, request);
  const plan = { ...bound.plan, annotations: renderedAnnotations(bound.plan, request) };
  const serviceName = `envoy-${ask.namespace}-${ask.name}`;
  const { name, namespace } = ask;
  const proxy = new ApiObject(scope, 'Proxies', envoyProxy({ name, namespace, replicas, plan, serviceName }) as never);
  const render = renderingOf(proxy, RenderStage.WRITE);
  const service = new BalancedObject(
    scope,
    { chart: Chart.of(scope), kind: 'Service', name: serviceName, metadata: { namespace: serviceNamespace } },
    { rendered: () => serviceOf(render(), ports, { name: serviceName, namespace: serviceNamespace }) },
    bound.plan,
    bound.problems,
    [],
    new ServiceJudge(controller, request.kubernetes, bound.plan.finalizers),
  );
  renderBy(proxy, RenderStage.WRITE, () => {
    service.write();
    return render();
  });
}

/** The Service that Envoy Gateway makes. */
function serviceOf(proxy: Json, ports: readonly { port: number; name: string }[], place: Json): Json {
  const asked: Json = proxy.spec?.provider?.kubernetes?.envoyService ?? {};
  const { annotations, labels, name: _, patch, ...spec } = asked;
  const merged: Json = patch?.value ?? {};
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...place, annotations, labels, ...merged.metadata },
    spec: {
      ...spec,
      ...merged.spec,
      ports: ports.map((port) => ({ ...port, protocol: 'TCP', targetPort: port.port })),
      selector: ENVOY_SELECTOR,
    },
  };
}
