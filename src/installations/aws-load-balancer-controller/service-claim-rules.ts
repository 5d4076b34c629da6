import type { Finding } from '../../contract/finding';
import { unlessLive } from '../../contract/hand-over';
import type { Json } from '../../contract/json';
import type { DescribedRule } from '../../contract/rule-of';
import { AWS_LBC, AWS_LBC_CLASS, lbcFile } from '../../controllers/aws-load-balancer-controller/annotations';
import { AwsLoadBalancerController } from '../../controllers/aws-load-balancer-controller/controller';
import { classOf } from '../../rules/service-json';
import type { AppService } from '../app-services';
import { KUBE_SYSTEM } from './installation.facts';

/** What an installation takes Services by. */
export interface Claiming {
  readonly loadBalancerClass: string;
  /** Whether its webhook gives that class to Services without one. */
  readonly webhook: boolean;
  /** The namespace that it runs in, which its webhook spares. */
  readonly namespace?: string;
}

/** Judges who takes a Service. */
export interface ServiceClaimRule extends DescribedRule {
  judge(service: AppService, claiming: Claiming): Finding | undefined;
}

const [DOMAIN] = AWS_LBC_CLASS.split('/');

/** Whether an installation serves a finished Service. */
export function serves({ loadBalancerClass, webhook }: Claiming, service: Json): boolean {
  const said = classOf(service);
  return said === undefined
    ? webhook || AwsLoadBalancerController._kind.claim(service, undefined).claimed === 'yes'
    : said === loadBalancerClass;
}

/** Whether the webhook for Services looks away from their namespace. */
function isSpared({ namespace: said }: AppService, { namespace }: Claiming): boolean {
  return said !== undefined && [KUBE_SYSTEM, namespace].includes(said);
}

/** Whether a Service of the app is for an installation: of one that is in the app as it is, its manifest tells. */
export function isFor(claiming: Claiming, service: AppService): boolean {
  const { loadBalancerClass } = claiming;
  return service.owner === undefined
    ? serves({ ...claiming, webhook: claiming.webhook && !isSpared(service, claiming) }, service.json())
    : service.owner === AWS_LBC && (service.loadBalancerClass ?? loadBalancerClass) === loadBalancerClass;
}

/** What must be true between the only installation of an app and the Services of the app, whoever they are for. */
export const SERVICE_CLAIM_RULES: readonly ServiceClaimRule[] = [
  {
    id: 'class-not-served',
    severity: 'warning',
    says: 'a Service for the AWS Load Balancer Controller has the class that the installation serves',
    source: lbcFile('pkg/service/service_utils.go'),
    judge: ({ name, owner, loadBalancerClass: said }, { loadBalancerClass }) =>
      said !== undefined &&
      said !== loadBalancerClass &&
      (owner === AWS_LBC || (owner === undefined && said.split('/')[0] === DOMAIN))
        ? {
            what: `serves class '${loadBalancerClass}', and ${name} has '${said}': nobody makes its balancer`,
            remedy: 'take the controller of the Service from nlb() of the installation',
            value: said,
          }
        : undefined,
  },
  {
    id: 'webhook-takes-service',
    severity: 'error',
    says: 'the webhook for Services takes none that is meant for another controller',
    source: lbcFile('webhooks/core/service_mutator.go'),
    judge: (service, claiming) => {
      const { name, owner } = service;
      const takes = claiming.webhook && !isSpared(service, claiming);
      return takes && owner !== undefined && owner !== AWS_LBC && classOf(service.json()) === undefined
        ? {
            what: `has the webhook that gives its class to Services without one, and takes ${name}, which is meant for ${owner}`,
            remedy: unlessLive(
              'leave serviceMutatorWebhook out, or give the Service a class that its own controller serves',
            ),
            value: owner,
          }
        : undefined;
    },
  },
];
