import { ApiObject, App, Chart, JsonPatch } from 'cdk8s';
import type { Json } from '../../../src/contract/json';
import { AwsLoadBalancerControllerInstallation } from '../../../src/installations/aws-load-balancer-controller/installation';
import type { AwsLoadBalancerControllerInstallationProps } from '../../../src/installations/aws-load-balancer-controller/options';
import { errorsOf, stderrOf } from '../../support/apps';
import { casesIn, revived } from '../../support/yaml-cases';
import { installed, RIGHT } from './installations';

const CASES = revived(casesIn(__dirname, 'neighbours.yaml'));

type Props = Partial<AwsLoadBalancerControllerInstallationProps>;

describe('the kinds of the Gateway API in the same app', () => {
  const NAMES = ['gateways', 'gatewayclasses', 'tlsroutes', 'tcproutes', 'udproutes'];
  const V1 = { name: 'v1', served: true, storage: true };
  const crd = (plural: string, versions: Json[], bundle?: string) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.gateway.networking.k8s.io`,
      annotations: bundle === undefined ? undefined : { 'gateway.networking.k8s.io/bundle-version': bundle },
    },
    spec: { versions },
  });
  const errorsWith = (names: readonly string[], versions: Json[], bundle?: string, props: Props = {}) => {
    const app = new App();
    const { chart } = installed({ featureGates: { NLBGatewayAPI: true, GatewayListenerSet: false }, ...props }, app);
    const gateway = new Chart(app, 'gateway-api');
    for (const name of names) {
      new ApiObject(gateway, name, crd(name, versions, bundle));
    }
    return errorsOf(chart);
  };

  test.each<[string, Json[], string | undefined]>([
    ['of no known release', [V1], undefined],
    ['of the first release', [V1], 'v1.6.0'],
    ['of a newer release, with others', [{ ...V1, name: 'v1alpha2', served: false }, V1], 'v1.10.1'],
    ['built by oneself', [V1], 'main'],
  ])('%s are taken', (_, versions, bundle) => {
    expect(errorsWith(NAMES, versions, bundle)).toEqual([]);
  });

  test.each<[string, Json[], string | undefined, string]>(CASES.refused)(
    '%s are refused',
    (_, versions, bundle, part) => {
      const errors = errorsWith(NAMES, versions, bundle).join();
      expect(errors).toContain(part);
      expect(errors).toContain('(gateway-api-crds)');
    },
  );

  test('of which one is missing are refused', () => {
    expect(errorsWith(NAMES.slice(0, 4), [V1]).join()).toMatch(/has udproutes\.gateway\.networking\.k8s\.io: /);
  });

  test('do not count where somebody says what the cluster has', () => {
    expect(errorsWith(NAMES, [V1], 'v1.2.0', { gatewayApiCrds: '1.6.3' })).toEqual([]);
  });
});

describe('a GatewayClass of the controller', () => {
  const toldOf = (controllerName: string, props: Props) => {
    const app = new App();
    const { chart } = installed({ gatewayApiCrds: '1.6.0', ...props }, app);
    new ApiObject(new Chart(app, 'gateways'), 'Class', {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'GatewayClass',
      metadata: { name: 'edge' },
      spec: { controllerName },
    } as never);
    return stderrOf(() => errorsOf(chart));
  };

  test.each<[string, string]>([
    ['gateway.k8s.aws/nlb', 'NLBGatewayAPI'],
    ['gateway.k8s.aws/alb', 'ALBGatewayAPI'],
  ])('%s is told about while its gate is off', (controller, gate) => {
    const told = toldOf(controller, {});
    expect(told).toContain(`GatewayClass edge (gateways/Class) is of '${controller}'`);
    expect(told).toContain(`switch the gate ${gate} on`);
    expect(told).toContain('(gateway-class-not-served)');
    expect(toldOf(controller, { featureGates: { [gate]: true } })).toBe('');
  });

  test('of another controller is not', () => {
    expect(toldOf('envoyproxy.io/gateway', {})).toBe('');
  });
});

describe('a controller that somebody else wrote is found', () => {
  const errorsBeside = (container: Json) => {
    const app = new App();
    const { chart } = installed({}, app);
    new ApiObject(new Chart(app, 'vendor'), 'Deployment', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'alb', namespace: 'balancers', labels: { 'app.kubernetes.io/name': 'alb' } },
      spec: {
        template: {
          spec: {
            containers: [
              { name: 'proxy', image: 'proxy:1', args: ['--v=2'] },
              { name: 'c', ...container },
            ],
          },
        },
      },
    } as never);
    return errorsOf(chart).join();
  };

  test.each<[string, Json]>(CASES.controllerSomebodyElse)('%s', (_, container) => {
    expect(errorsBeside(container)).toMatch(/by vendor\/Deployment already, .* \(second-installation\)/);
  });

  test.each<[string, Json]>(CASES.butNoOther)('but no other program that %s', (_, container) => {
    expect(errorsBeside(container)).toBe('');
  });
});

describe('two controllers in one chart', () => {
  const both = (second: Props, first: Props = {}) => {
    const { chart } = installed(first);
    new AwsLoadBalancerControllerInstallation(chart, 'Second', {
      ...RIGHT,
      name: 'b2',
      clusterName: 'prod2',
      namespace: 'balancers',
      crds: false,
      ingressClass: false,
      ...second,
    });
    return errorsOf(chart);
  };
  const apart: Props = { ingressClassName: 'alb2', loadBalancerClass: 'example.com/nlb' };

  test.each<[string, Props, RegExp]>(CASES.refusedSecondSays)(
    '%s are refused, and the second says so',
    (_, second, message) => {
      const errors = both(second);
      expect(errors.join()).toMatch(message);
      expect(errors.every((error) => error.startsWith('[system/Second] '))).toBe(true);
    },
  );

  test.each<[string, Props, Props | undefined]>(CASES.accepted)('%s are accepted', (_, second, first) => {
    expect(both(second, first)).toEqual([]);
  });

  test('in charts of their own may be for two clusters', () => {
    const app = new App();
    installed({}, app);
    expect(errorsOf(installed({ clusterName: 'prod2' }, app, 'second').chart)).toEqual([]);
  });

  test('that are patched to look elsewhere are judged as they are written', () => {
    const { chart, installation } = installed({ nlbOnly: true });
    const second = new AwsLoadBalancerControllerInstallation(chart, 'Second', {
      ...RIGHT,
      ...apart,
      name: 'b2',
      clusterName: 'prod2',
      namespace: 'balancers',
      crds: false,
      ingressClass: false,
    });
    expect(errorsOf(chart)).toEqual([]);
    const args = '/spec/template/spec/containers/0/args/-';
    second.deployment.addJsonPatch(JsonPatch.add(args, `--load-balancer-class=${installation.loadBalancerClass}`));
    expect(errorsOf(chart).join()).toContain('(controllers-of-one-chart)');
  });

  test('may be of one cluster where one does not name it', () => {
    const { chart } = installed({});
    const second = new AwsLoadBalancerControllerInstallation(chart, 'Second', {
      ...RIGHT,
      name: 'b2',
      clusterName: 'prod2',
      namespace: 'balancers',
      crds: false,
      ingressClass: false,
    });
    second.deployment.addJsonPatch(JsonPatch.replace('/spec/template/spec/containers/0/args', []));
    expect(errorsOf(chart).join()).not.toMatch(/controllers-of-one-chart|undefined/);
  });
});
