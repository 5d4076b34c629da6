import { ApiObject, App, Chart, JsonPatch } from 'cdk8s';
import {
  AwsCloudProvider,
  AwsLoadBalancerController,
  type AwsLoadBalancerControllerNlbOptions,
  LoadBalancedService,
} from '../../../src';
import type { Json } from '../../../src/contract/json';
import { AwsLoadBalancerControllerInstallation } from '../../../src/installations/aws-load-balancer-controller/installation';
import type { AwsLoadBalancerControllerInstallationProps } from '../../../src/installations/aws-load-balancer-controller/options';
import { errorsOf, stderrOf, written } from '../../support/apps';
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
  ])('%s are taken', (_, versions, bundle) => expect(errorsWith(NAMES, versions, bundle)).toEqual([]));

  test.each<[string, Json[], string | undefined, string]>(CASES.refused)(
    '%s are refused',
    (_, versions, bundle, part) => {
      const errors = errorsWith(NAMES, versions, bundle).join();
      expect(errors).toContain(part);
      expect(errors).toContain('(gateway-api-crds-mismatch)');
    },
  );

  test('of which one is missing are refused', () => {
    expect(errorsWith(NAMES.slice(0, 4), [V1]).join()).toMatch(/lacks udproutes\.gateway\.networking\.k8s\.io, /);
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
    expect(told).toContain(`class edge (gateways/Class): the class is for '${controller}'`);
    expect(told).toContain(`switch the gate ${gate} on`);
    expect(told).toContain('(gateway-class-gate-disabled)');
    expect(toldOf(controller, { featureGates: { [gate]: true } })).toBe('');
  });

  test('of another controller is not', () => expect(toldOf('envoyproxy.io/gateway', {})).toBe(''));
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
    expect(errorsBeside(container)).toMatch(
      /deletes the balancers of vendor\/Deployment, .* \(cluster-name-duplicate\)/,
    );
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

  test('that are patched to look elsewhere are checked as they are written', () => {
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
    expect(errorsOf(chart).join()).toContain('(controller-duplicate-in-chart)');
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
    expect(errorsOf(chart).join()).not.toMatch(/controller-duplicate-in-chart|undefined/);
  });
});

describe('served services', () => {
  const CASES = casesIn(__dirname, 'neighbours.yaml');
  type Annotations = Record<string, string>;

  const CLASS = 'service.k8s.aws/nlb';
  const ECHO = { selector: { app: 'echo' }, ports: [{ port: 443 }] };
  const key = (name: string) => `service.beta.kubernetes.io/aws-load-balancer-${name}`;
  const off = (gate: string): Props => ({ featureGates: { [gate]: false } });

  function said(props: Props, annotations: Annotations, spec: object = {}, others: Props[] = []) {
    const app = new App();
    const { chart } = installed(props, app);
    for (const [i, other] of others.entries()) {
      installed(other, app, `other-${i}`);
    }
    new ApiObject(new Chart(app, 'echo', { namespace: 'echo' }), 'Echo', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: {
        name: 'echo',
        annotations: Object.fromEntries(Object.entries(annotations).map(([name, text]) => [key(name), text])),
      },
      spec: { type: 'LoadBalancer', loadBalancerClass: CLASS, ports: [{ port: 443, protocol: 'TCP' }], ...spec },
    });
    let errors: string[] = [];
    const warnings = stderrOf(() => {
      errors = errorsOf(chart);
    });
    return { errors, warnings };
  }

  const UNSERVED: [string, Props, Annotations, string, string][] = CASES.unserved;

  test.each(UNSERVED)(
    '%s that it does not serve is refused, or told where it is not read',
    (_, props, annotations, rule, part) => {
      const { errors, warnings } = said(props, annotations);
      if (rule === 'capacity-gate-disabled') {
        expect(errors).toEqual([]);
        expect(warnings).toContain(part);
        expect(warnings).toContain(`(${rule})`);
        return;
      }
      const found = errors.filter((error) => error.endsWith(`(${rule})`));
      expect(found).toHaveLength(1);
      expect(found[0]).toMatch(/^\[system\/Controller\] aws-load-balancer-controller: .* \(Service echo\/echo\); /);
      expect(found[0]).toContain(part);
    },
  );

  test.each(UNSERVED)('%s of another class is not refused', (_, ...[props, annotations]) => {
    expect(said(props, annotations, { loadBalancerClass: 'eks.amazonaws.com/nlb' })).toEqual({
      errors: [],
      warnings: '',
    });
  });

  test.each(UNSERVED)('%s is not refused where nobody knows which of two serves it', (_, ...[props, annotations]) => {
    expect(said(props, annotations, {}, [{ clusterName: 'dev' }]).errors).toEqual([]);
  });

  test.each<[string, Props, Annotations]>([
    ['everything that is on', {}, Object.assign({}, ...UNSERVED.slice(1, -1).map(([, , annotations]) => annotations))],
    ['no capacity', off('LBCapacityReservation'), {}],
    ['instances', off('EnableIPTargetType'), { 'nlb-target-type': 'instance' }],
  ])('%s is served', (_, props, annotations) => expect(said(props, annotations).errors).toEqual([]));

  test('source ranges keep nobody out where the gate for security groups is off', () => {
    const ranges = { loadBalancerSourceRanges: ['10.0.0.0/8'] };
    const { errors } = said(off('NLBSecurityGroup'), { 'nlb-target-type': 'ip' }, ranges);
    expect(errors.join()).toMatch(/clients outside source ranges .* can connect.* \(security-groups-gate-disabled\)$/);
    expect(said({}, { 'nlb-target-type': 'ip' }, ranges).errors).toEqual([]);
  });

  test.each<[string, Props, AwsLoadBalancerControllerNlbOptions, string]>([
    ['groups', off('NLBSecurityGroup'), { securityGroups: ['sg-1'] }, 'makes balancers without security groups'],
  ])('a controller with %s that the installation does not serve is refused', (_, props, options, part) => {
    const { installation } = installed(props);
    expect(() => installation.nlb(options)).toThrow(part);
    expect(() => installation.nlb(options)).toThrow(
      /^\[system\/Controller\] .*; .* \(controller-installation-mismatch\)$/,
    );
    expect(() => installed().installation.nlb(options)).not.toThrow();
  });

  test('listeners of TCP and UDP are for every Service where their gate is on', () => {
    const app = new App();
    const { installation } = installed({ featureGates: { EnableTCPUDPListener: true } }, app);
    const chart = new Chart(app, 'echo', { namespace: 'echo' });
    new LoadBalancedService(chart, 'Echo', { ...ECHO, controller: installation.nlb() });
    expect(written(chart, 'Service').metadata.annotations[key('enable-tcp-udp-listener')]).toBe('true');
  });

  describe('a class that the only installation does not serve', () => {
    test.each<[string, Props, object]>([
      ['a misprint', {}, { loadBalancerClass: 'service.k8s.aws/nbl' }],
      ['that of another installation', { loadBalancerClass: 'example.com/nlb' }, {}],
    ])('is told about: %s', (_, props, spec) => {
      expect(said(props, {}, spec).warnings).toMatch(
        /no controller makes a balancer for Service echo\/echo[\s\S]*\(class-without-controller\)/,
      );
    });

    test('is told about where a controller object has it', () => {
      const app = new App();
      installed({}, app);
      const controller = AwsLoadBalancerController.nlb({ loadBalancerClass: 'example.com/nlb' });
      new LoadBalancedService(new Chart(app, 'echo', { namespace: 'echo' }), 'Echo', {
        ...ECHO,
        name: 'echo',
        controller,
      });
      expect(stderrOf(() => app.synthYaml())).toContain("Service echo/echo: its class is 'example.com/nlb'");
    });

    test.each<[string, object, Props[]?]>(casesIn(__dirname, 'neighbours.yaml')['is none of its business'])(
      'is none of its business: %s',
      (_, ...[spec, others]) => {
        expect(said({}, {}, spec, others)).toEqual({ errors: [], warnings: '' });
      },
    );
  });

  describe('the webhook for Services', () => {
    function errors(props: Props, namespace = 'echo'): string[] {
      const app = new App();
      const { chart } = installed(props, app);
      const controller = AwsCloudProvider.nlb();
      new LoadBalancedService(new Chart(app, 'echo', { namespace }), 'Echo', { ...ECHO, name: 'echo', controller });
      return errorsOf(chart);
    }

    test('takes no Service of the cloud controller manager', () => {
      expect(errors({ serviceMutatorWebhook: true })).toEqual([
        expect.stringMatching(
          /takes Service echo\/echo, which is for .*; otherwise leave serviceMutatorWebhook out.* \(webhook-on-foreign-service\)$/,
        ),
      ]);
    });

    test.each<[string, Props, string?]>([
      ['where it is off', {}],
      ['in the namespace of the system', { serviceMutatorWebhook: true }, 'kube-system'],
      ['in the namespace of the controller', { serviceMutatorWebhook: true, namespace: 'balancers' }, 'balancers'],
    ])('leaves it alone %s', (_, ...[props, namespace]) => expect(errors(props, namespace)).toEqual([]));

    test('gives the class to Services without one, which are served then', () => {
      const props: Props = { serviceMutatorWebhook: true, ...off('EnableServiceController') };
      const none = { loadBalancerClass: undefined };
      expect(said(props, {}, none).errors.join()).toContain('(service-controller-disabled)');
      expect(said(off('EnableServiceController'), {}, none).errors).toEqual([]);
    });
  });
});
