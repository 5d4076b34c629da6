import type { Annotation } from '../../contract/annotation-catalogue';
import { type Json, list } from '../../contract/json';
import { isIpv6 } from '../../contract/kubernetes-syntax';
import type { Rule, RuleContext } from '../../rules/rule';
import { rulesOf } from '../../rules/rule-set';
import { annotationsOf, isLocal } from '../../rules/service-json';
import { METALLB, METALLB_SOURCE } from './annotations';
import { METALLB_PREFIX_SINCE } from './facts';
import { modeIn } from './model';
import { METALLB_RULE_ROWS } from './rules.facts';

function currentValue<T>(
  service: Json,
  { current, deprecated }: Record<'current' | 'deprecated', Annotation<T>>,
  { kind, controller }: RuleContext,
): T | undefined {
  const annotations = annotationsOf(service);
  const isOld = kind?.versionOf?.(controller)?.reaches(METALLB_PREFIX_SINCE) === false;
  return (annotations[current.key()] === undefined || isOld ? deprecated : current).on(annotations);
}

function fieldOf(service: Json): string | undefined {
  const field = service.spec?.loadBalancerIP;
  return typeof field === 'string' && field !== '' ? field : undefined;
}

function familiesOf(service: Json): number | undefined {
  const { ipFamilies, ipFamilyPolicy } = service.spec ?? {};
  if (ipFamilyPolicy === 'PreferDualStack') {
    return undefined;
  }
  return ipFamilyPolicy === 'RequireDualStack' || list(ipFamilies).length > 1 ? 2 : 1;
}

export const METALLB_RULES: readonly Rule[] = rulesOf({
  rows: METALLB_RULE_ROWS,
  source: METALLB_SOURCE,
  catalogue: METALLB,
  read: (service, context) => ({
    addresses: currentValue(service, METALLB.loadBalancerIps, context),
    key: currentValue(service, METALLB.allowSharedIp, context),
    field: fieldOf(service),
    mode: modeIn(context.controller),
  }),
  finds: {
    'metallb-addresses-duplicate': ({ addresses, field }) =>
      addresses && field && { addresses: addresses.join(', '), value: field },
    'metallb-address-family-mismatch': ({ field, addresses = field ? [field] : [] }, service) => {
      const found = addresses.map((address) => (isIpv6(address) ? 'IPv6' : 'IPv4'));
      const value = addresses.join(', ');
      if (new Set(found).size < found.length) {
        return { case: 'several', value };
      }
      const families = familiesOf(service);
      const first = list<string>(service.spec?.ipFamilies)[0];
      const unlike = families === 1 && first !== undefined && found[0] !== first;
      const isOther = families !== undefined && (found.length !== families || unlike);
      return found.length > 0 && isOther && { case: 'other', value };
    },
    'metallb-layer2-local-policy': ({ mode }, service) => isLocal(service) && mode === 'layer2' && { value: 'Local' },
    'metallb-bgp-session-affinity': ({ mode }, service) =>
      service.spec?.sessionAffinity === 'ClientIP' && mode === 'bgp' && { value: 'ClientIP' },
    'metallb-shared-local-policy': ({ key }, service, context) => {
      const { among } = context;
      const services = among?.index.of('', 'Service') ?? [];
      // of two Services, what they claim decides
      const isAlone = () =>
        services.every(
          ({ json }) => json === among?.json || currentValue(json, METALLB.allowSharedIp, context) !== key,
        );
      return key && isLocal(service) && isAlone() && { value: key };
    },
    'metallb-sharing-without-address': ({ key, addresses, field }) => key && !addresses && !field && { value: key },
  },
});
