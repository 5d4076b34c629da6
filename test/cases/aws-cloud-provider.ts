import { Duration } from 'cdk8s';
import { AwsBackendProtocol, AwsCloudProvider } from '../../src';
import type { ControllerCases } from '../support/cases';
import { claimsOf } from './parts/aws.claims';
import { made } from './parts/aws-cloud-provider.made';
import { options } from './parts/aws-cloud-provider.options';
import { requests } from './parts/aws-cloud-provider.requests';
import { rollouts } from './parts/aws-cloud-provider.rollouts';
import { services } from './parts/aws-cloud-provider.services';

/** By a factory that does not know the option, as from another language. */
const nlb = (given: object) => () => AwsCloudProvider.nlb(given);
const classic = (given: object) => () => AwsCloudProvider.classic(given);

export const cases: ControllerCases = {
  wishesMayBreak: ['aws-cloud-ipv6-source-range', 'aws-cloud-udp-client-address'],
  kind: AwsCloudProvider._kind.definition,
  make: ({ kind, ...given }) => (kind === 'classic' ? AwsCloudProvider.classic(given) : AwsCloudProvider.nlb(given)),
  options,
  requests,
  services,
  refusedOptions: [
    ...Object.entries({
      extraSecurityGroups: ['sg-1'],
      connectionDrainingEnabled: true,
      connectionDrainingTimeout: Duration.minutes(1),
      connectionIdleTimeout: Duration.minutes(1),
      accessLogEmitInterval: Duration.minutes(5),
      proxyProtocol: true,
      healthCheckTimeout: Duration.seconds(6),
    }).map(([option, value]) => ({
      title: `${option} is for Classic Load Balancers`,
      make: nlb({ [option]: value }),
      message: `option ${option} has no effect on AwsCloudProvider.nlb(); leave it out, or use AwsCloudProvider.classic()`,
    })),
    ...Object.entries({
      targetGroupAttributes: { proxyProtocolV2: true },
      eipAllocations: ['eipalloc-1'],
      privateIpv4Addresses: ['10.0.0.8'],
    }).map(([option, value]) => ({
      title: `${option} is for Network Load Balancers`,
      make: classic({ [option]: value }),
      message: `option ${option} has no effect on AwsCloudProvider.classic(); leave it out, or use AwsCloudProvider.nlb()`,
    })),
    ...[AwsBackendProtocol.HTTP, AwsBackendProtocol.HTTPS, AwsBackendProtocol.TCP].map((backendProtocol) => ({
      title: `a Network Load Balancer does not speak ${backendProtocol} behind TLS`,
      make: nlb({ backendProtocol }),
      message: `option backendProtocol '${backendProtocol}' has no effect on AwsCloudProvider.nlb()`,
    })),
  ],
  claims: claimsOf('cloud-provider-aws'),
  made,
  rollouts,
};
