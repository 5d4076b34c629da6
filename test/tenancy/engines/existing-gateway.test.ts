import { Chart, Testing } from 'cdk8s';
import { Gateway, type IGateway } from '../../../src/gateway';
import { SharedLoadBalancer, SharedLoadBalancerEngine } from '../../../src/tenancy';
import { lockFile } from '../shared/locked';

function told(gateway: IGateway): string {
  const app = Testing.app();
  new SharedLoadBalancer(new Chart(app, 'platform', { namespace: 'infra' }), 'Shared', {
    engine: SharedLoadBalancerEngine.existingGateway({ gateway, routesBySni: false }),
    portLock: lockFile({}),
  });
  try {
    app.synthYaml();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

test('listeners of tenants need the namespace of a Gateway', () => {
  const nowhere = told(Gateway.fromName('edge', { controllerName: 'example.com/gateway' }));
  expect(nowhere).toContain('Gateway edge: its namespace is unknown');
  expect(nowhere).toContain('(existing-gateway-namespace)');
  expect(told(Gateway.fromName('edge', { namespace: 'infra', controllerName: 'example.com/gateway' }))).toBe('');
});
