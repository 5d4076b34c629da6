import { DEFAULT_KUBERNETES } from '../../contract/default-kubernetes';
import type { Json } from '../../contract/json';
import { unlessLive } from '../../contract/rule';
import { AWS_LBC, AWS_LBC_CLASS, AWS_LBC_CONTROLLER } from '../../controllers/aws-load-balancer-controller/annotations';
import { AwsLoadBalancerController } from '../../controllers/aws-load-balancer-controller/controller';
import { NlbTargetType } from '../../controllers/aws-load-balancer-controller/options';
import { lbcFile } from '../../controllers/aws-load-balancer-controller/reading';
import { WITHOUT_SECURITY_GROUPS } from '../../controllers/aws-load-balancer-controller/rules';
import type { Rule } from '../../rules/rule';
import { annotationsOf, classOf } from '../../rules/service-json';
import type { BalancedService } from '../balanced-services';
import { FEATURE_GATES, KUBE_SYSTEM } from './installation.facts';
import type { Claiming, InstallationContext } from './installation-rule';

const [DOMAIN] = AWS_LBC_CLASS.split('/');

export function serves({ loadBalancerClass, webhook }: Claiming, service: Json): boolean {
  const given = classOf(service);
  return given === undefined
    ? webhook || AwsLoadBalancerController._kind.definition.claim(service, undefined).claimed === 'yes'
    : given === loadBalancerClass;
}

function isSpared({ namespace: given }: BalancedService, { namespace }: Claiming): boolean {
  return given !== undefined && [KUBE_SYSTEM, namespace].includes(given);
}

/** Whether a Service of the app is for an installation; for a plain manifest, its fields decide. */
export function isFor(claiming: Claiming, service: BalancedService): boolean {
  const { loadBalancerClass } = claiming;
  return service.owner === undefined
    ? serves({ ...claiming, webhook: claiming.webhook && !isSpared(service, claiming) }, service.json())
    : service.owner === AWS_LBC_CONTROLLER && (service.loadBalancerClass ?? loadBalancerClass) === loadBalancerClass;
}

/** Rules about the only installation of an app and the Services of the app, whichever controller they are for. */
export const SERVICE_CLAIM_RULES: readonly Rule<InstallationContext>[] = [
  {
    id: 'class-not-served',
    severity: 'warning',
    says: 'Service with a class that no controller serves',
    source: lbcFile('pkg/service/service_utils.go'),
    needs: ['services'],
    judge: (_, { services = [], claiming: { loadBalancerClass } }) =>
      services.flatMap(({ name, owner, loadBalancerClass: named }) =>
        named !== undefined &&
        named !== loadBalancerClass &&
        (owner === AWS_LBC_CONTROLLER || (owner === undefined && named.split('/')[0] === DOMAIN))
          ? [
              {
                what: `serves class '${loadBalancerClass}', and ${name} has '${named}', for which no controller makes a balancer`,
                remedy: `write '${loadBalancerClass}' in a new Service, as nlb() of the installation does, or run a controller for '${named}' too`,
                value: named,
              },
            ]
          : [],
      ),
  },
  {
    id: 'webhook-takes-service',
    severity: 'error',
    says: 'Service of another controller that the webhook for Services takes',
    source: lbcFile('webhooks/core/service_mutator.go'),
    needs: ['services'],
    judge: (_, { services = [], claiming }) =>
      services.flatMap((service) => {
        const { name, owner } = service;
        const takes = claiming.webhook && !isSpared(service, claiming);
        return takes && owner !== undefined && owner !== AWS_LBC_CONTROLLER && classOf(service.json()) === undefined
          ? [
              {
                what: `has the webhook that gives its class to Services without one, and takes ${name}, which is for ${owner}`,
                remedy: unlessLive(
                  'leave serviceMutatorWebhook out, or give the Service a class that its own controller serves',
                ),
                value: owner,
              },
            ]
          : [];
      }),
  },
];

export interface Serving {
  /** What its feature gates say, as texts. */
  readonly gates: Readonly<Record<string, string>>;
  readonly flags: Readonly<Record<string, string>>;
  /** Whether its role may reserve capacity. */
  readonly reservesCapacity: boolean;
}

function isOff(gate: string, { gates }: Serving): boolean {
  const byDefault = FEATURE_GATES.find((fact) => fact.gate === gate)?.byDefault === true;
  return gates[gate] === undefined ? !byDefault : gates[gate] !== 'true';
}

function whileOff(
  gate: string,
  rule: Omit<Rule<Serving>, 'severity' | 'concerns'> & Partial<Pick<Rule<Serving>, 'severity'>>,
): Rule<Serving> {
  return { severity: 'error', ...rule, concerns: (_, serving) => isOff(gate, serving) };
}

const since = (gate: string) => `since its feature gate ${gate} is off`;

/** The rules that can find something in Services that an installation serves in this way: mostly none. */
export function servedRules(serving: Serving): readonly Rule<Serving>[] {
  return SERVED_SERVICE_RULES.filter(({ concerns }) => concerns?.([], serving));
}

export const SERVED_SERVICE_RULES: readonly Rule<Serving>[] = [
  whileOff('EnableServiceController', {
    id: 'service-controller-off',
    says: 'Services for a controller whose service controller is off',
    source: lbcFile('main.go'),
    judge: () => ({
      what: `serves no Services, ${since('EnableServiceController')}`,
      remedy: 'leave the gate out',
    }),
  }),
  whileOff('EnableIPTargetType', {
    id: 'ip-targets-off',
    says: 'ip targets while the gate EnableIPTargetType is off',
    source: lbcFile('pkg/service/model_build_target_group.go'),
    judge: (service, { flags }) =>
      (annotationsOf(service)[AWS_LBC.targetType.key()] ?? flags['default-target-type']) === NlbTargetType.IP
        ? {
            what: `has no ip targets, ${since('EnableIPTargetType')}`,
            remedy: 'use NlbTargetType.INSTANCE, or leave the gate out',
            value: NlbTargetType.IP,
          }
        : undefined,
  }),
  whileOff('NLBSecurityGroup', {
    id: 'security-groups-off',
    says: 'settings of security groups while the gate NLBSecurityGroup is off',
    source: lbcFile('pkg/service/model_build_load_balancer.go'),
    judge: (service) => {
      const annotations = annotationsOf(service);
      const bare = { ...service, metadata: { annotations: { ...annotations, [AWS_LBC.disableNlbSg.key()]: 'true' } } };
      // a Service that sets it as well has a finding of its own
      return AWS_LBC.disableNlbSg.on(annotations) === true
        ? undefined
        : WITHOUT_SECURITY_GROUPS.flatMap((rule) => rule.judge(bare, { kubernetes: DEFAULT_KUBERNETES }) ?? []).map(
            ({ what, value }) => ({
              what: `makes balancers without security groups, ${since('NLBSecurityGroup')}, and ${what}`,
              remedy: 'leave the gate out, or remove the setting',
              value,
            }),
          );
    },
  }),
  whileOff('LBCapacityReservation', {
    id: 'capacity-off',
    severity: 'warning',
    says: 'reserved capacity while the gate LBCapacityReservation is off',
    source: lbcFile('pkg/service/model_build_load_balancer.go'),
    judge: (service) => {
      const capacity = annotationsOf(service)[AWS_LBC.minimumCapacity.key()];
      return capacity === undefined
        ? undefined
        : {
            what: `reserves no capacity, ${since('LBCapacityReservation')}, but ${AWS_LBC.minimumCapacity.key()} is '${capacity}'`,
            remedy: 'leave the gate out, or the capacity',
            value: capacity,
          };
    },
  }),
  {
    id: 'capacity-not-permitted',
    severity: 'error',
    says: 'reserved capacity that the role may not reserve',
    source: lbcFile('pkg/deploy/elbv2/load_balancer_capacity_reservation_reconciler.go'),
    concerns: (_, { reservesCapacity }) => !reservesCapacity,
    judge: (service) => {
      const capacity = annotationsOf(service)[AWS_LBC.minimumCapacity.key()];
      return capacity === undefined
        ? undefined
        : {
            what: `may not reserve capacity with the permissions of nlbOnly, but ${AWS_LBC.minimumCapacity.key()} is '${capacity}'`,
            remedy:
              'add policyFeatures: [AwsLoadBalancerControllerFeature.LOAD_BALANCER_CAPACITY] to the installation, or leave the capacity out',
            value: capacity,
          };
    },
  },
];
