import { Chart, Testing } from 'cdk8s';
import { AwsLoadBalancerController } from '../../../src/controllers';
import { SharedLoadBalancer, SharedLoadBalancerEngine, TenancyIdentity } from '../../../src/tenancy';

const platform = [TenancyIdentity.user('delivery')];

function policiesOf(engine: SharedLoadBalancerEngine, platform?: TenancyIdentity[]): string[] {
  const chart = new Chart(Testing.app(), 'platform', { namespace: 'infra' });
  new SharedLoadBalancer(chart, 'Shared', { engine, platform, hostname: 'tcp.example.com' });
  return Testing.synth(chart)
    .filter(({ kind, metadata }) => kind === 'ValidatingAdmissionPolicy' && metadata.name.includes('-tls-'))
    .map(({ metadata }) => metadata.name);
}

test('TLSRoutes are reserved where it is known for whom, and have names of their own everywhere', () => {
  const envoy = () => SharedLoadBalancerEngine.envoyGateway({ controller: AwsLoadBalancerController.nlb() });
  expect(policiesOf(envoy(), platform)).toEqual(['shared-listeners-tls-routes', 'shared-listeners-tls-names']);
  expect(policiesOf(envoy())).toEqual(['shared-listeners-tls-names']);
  const nlb = SharedLoadBalancerEngine.awsNetworkLoadBalancer({ securityGroups: ['sg-0123456789abcdef0'] });
  expect(policiesOf(nlb, platform)).toEqual([]);
});
