import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { judgeObject } from '../../rules/judge-object';
import { Judgement } from '../../rules/rule';
import type { AllowedClass } from './allowed-class';
import type { LoadBalancerAdmissionPolicyProps } from './load-balancer-admission-policy.options';
import { TenancyIdentity } from './tenancy-identity';

/**
 * Who is not judged unless somebody says it: all controllers whose names are published, not those of the classes alone, since
 * Services that were there before the guard are served, and released, by others.
 */
export function exemptByDefault(classes: readonly AllowedClass[]): TenancyIdentity[] {
  return [...TenancyIdentity.knownControllers(), ...classes.flatMap(({ _identities }) => _identities)];
}

/** Warns of classes whose controllers nobody named: Services of them would wait for an address for ever. */
export function judgeControllers(
  host: Construct,
  policy: ApiObject,
  { allowedClasses, exempt, guardStatus = true }: LoadBalancerAdmissionPolicyProps,
): void {
  const unknown = allowedClasses.filter((allowed) => !allowed._isShared && allowed._identities.length === 0);
  if (exempt !== undefined || !guardStatus || unknown.length === 0) {
    return;
  }
  judgeObject(host, policy, {
    judge: () => {
      const judgement = new Judgement();
      judgement.warnings = unknown.map(({ loadBalancerClass }) => ({
        ruleId: 'guard-controller',
        who: 'kubernetes',
        what: `it is not known which controller serves class ${loadBalancerClass}: unless the guard exempts it, Services of the class get no address`,
        remedy:
          'pass exempt: TenancyIdentity.knownControllers() where it is one of them, and otherwise beside these the user.username of its requests to services/status in the audit log',
        value: loadBalancerClass,
      }));
      return judgement;
    },
  });
}
