import { join } from 'node:path';
import type { Chart } from 'cdk8s';
import { StrimziVersion } from '../../../src';
import { Gateway, GatewayAllowedRoutes, GatewayClass, GatewayProtocol, GatewayTlsMode } from '../../../src/gateway';
import { KafkaTlsRouteListener } from '../../../src/kafka/routes/kafka-tls-route-listener';
import { expectGolden, writtenBy } from '../../support/golden-files';
import { clusterWith } from '../clusters';
import { HOSTS } from './listeners';

/** A cluster behind a Gateway in another namespace, on a port that is not the operator's. */
function behindGateway(): Chart {
  const { chart, cluster } = clusterWith([], StrimziVersion.V1_2);
  const gatewayClass = new GatewayClass(chart, 'Class', {
    name: 'acme',
    controllerName: 'acme.example/gateway-controller',
  });
  const gateway = new Gateway(chart, 'Edge', {
    name: 'edge',
    namespace: 'infra',
    gatewayClass,
    listeners: [
      {
        name: 'kafka',
        port: 9443,
        protocol: GatewayProtocol.TLS,
        tlsMode: GatewayTlsMode.PASSTHROUGH,
        hostname: '*.kafka.example.com',
        allowedRoutes: GatewayAllowedRoutes.namespaces(['kafka'], ['TLSRoute']),
      },
    ],
  });
  new KafkaTlsRouteListener(chart, 'External', {
    kafka: cluster,
    gateway,
    sectionName: 'kafka',
    name: 'external',
    port: 9094,
    authentication: { type: 'tls' },
    ...HOSTS,
  });
  return chart;
}

test('golden: tls-route-on-1.2', () => {
  expectGolden(join(__dirname, '..', 'goldens'), 'tls-route-on-1.2', writtenBy(behindGateway).yaml);
});
