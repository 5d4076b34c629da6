import type { LoadBalancerWishes } from '../../contract/load-balancer-wishes';
import type { KafkaLoadBalancedListenerProps } from './kafka-load-balanced-listener.options';
import type { ListenerWords } from './listener-plan';
import { saidOfServices } from './said-of-services';

/** What props say of the listener, and what they wish of its balancers. */
export function saidOf(props: KafkaLoadBalancedListenerProps): {
  readonly words: ListenerWords;
  readonly wishes: LoadBalancerWishes;
} {
  const { kafka: _kafka, controller: _controller, name, port, tls, authentication, ...others } = props;
  const { advertisedHostTemplate, advertisedPortTemplate, bootstrapAlternativeNames, ...more } = others;
  const { createBootstrapService, externalDns, brokerCertificate, networkPolicyPeers, ...rest } = more;
  const { maxConnections, maxConnectionCreationRate, bootstrapNodePort, bootstrapLoadBalancerIp, ...last } = rest;
  const { brokers, bootstrapAnnotations, bootstrapLabels, ...templates } = last;
  const { perBrokerAnnotationsTemplate, perBrokerLabelsTemplate, ...wishes } = templates;
  return {
    words: {
      name,
      port,
      tls,
      authentication: authentication?._toJson(),
      advertisedHostTemplate,
      advertisedPortTemplate,
      alternativeNames: bootstrapAlternativeNames,
      createBootstrapService,
      externalDns,
      brokerCertificate,
      networkPolicyPeers,
      maxConnections,
      maxConnectionCreationRate,
      bootstrapNodePort,
      bootstrapLoadBalancerIp,
      services: saidOfServices({
        brokers,
        bootstrapAnnotations,
        bootstrapLabels,
        perBrokerAnnotationsTemplate,
        perBrokerLabelsTemplate,
      }),
    },
    wishes,
  };
}
