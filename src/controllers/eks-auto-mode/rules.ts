import type { Json } from '../../contract/json';
import type { Rule } from '../../rules/rule';
import { rulesOf } from '../../rules/rule-set';
import { annotationsOf, portAt, portsOf } from '../../rules/service-json';
import { certificateRules } from '../aws/rules';
import { oddProtocol, writtenAmong } from '../shared/reading';
import { EKS, EKS_GROUPS, EKS_SOURCE } from './annotations';
import { EKS_RULE_ROWS } from './rules.facts';

export const EKS_RULES: readonly Rule[] = [
  ...certificateRules(EKS.sslCert),
  ...rulesOf({
    rows: EKS_RULE_ROWS,
    source: EKS_SOURCE,
    catalogue: EKS_GROUPS,
    read: annotationsOf,
    finds: {
      'eks-auto-mode-unsupported': (annotations) =>
        writtenAmong(annotations, EKS_GROUPS.unsupported).map(({ key, value }) => ({
          case: key,
          value: String(value),
        })),
      'eks-auto-mode-protocol': oddProtocol,
      'eks-auto-mode-shared-port': (_, service) => {
        const twin = twinIn(portsOf(service));
        return twin !== undefined && { value: String(twin), at: portAt(service, 'port', ({ port }) => port === twin) };
      },
    },
  }),
];

export function twinIn(ports: readonly Json[]): unknown {
  return ports.find((port, index) => ports.some((other, at) => at < index && other.port === port.port))?.port;
}
