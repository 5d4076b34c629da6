import type { Json } from '../../contract/json';
import type { Rule } from '../../rules/rule';
import { annotationsOf, portAt, portsOf } from '../../rules/service-json';
import { certificateRules } from '../aws/rules';
import { oddProtocol } from '../shared/reading';
import { EKS, EKS_SOURCE, EKS_UNSUPPORTED } from './annotations';

/** What EKS Auto Mode documents that it does not do. */
export const EKS_RULES: readonly Rule[] = [
  ...certificateRules(EKS.sslCert),
  {
    id: 'eks-auto-mode-unsupported',
    severity: 'error',
    says: 'annotation that EKS Auto Mode does not support',
    source: EKS_SOURCE,
    reads: EKS_UNSUPPORTED.map(({ annotation }) => annotation),
    judge: (service) =>
      EKS_UNSUPPORTED.filter(({ annotation }) => annotationsOf(service)[annotation.key()] !== undefined).map(
        ({ annotation, remedy }) => ({
          what: `${annotation.key()} is not supported`,
          remedy,
          value: String(annotationsOf(service)[annotation.key()]),
        }),
      ),
  },
  {
    id: 'eks-auto-mode-protocol',
    severity: 'error',
    says: 'protocol other than TCP and UDP',
    source: EKS_SOURCE,
    on: ['spec.ports'],
    judge: oddProtocol,
  },
  {
    id: 'eks-auto-mode-shared-port',
    severity: 'error',
    says: 'port number with two protocols',
    source: EKS_SOURCE,
    on: ['spec.ports'],
    judge(service) {
      const twin = twinIn(portsOf(service));
      return twin === undefined
        ? undefined
        : {
            what: `port ${twin} has two protocols`,
            remedy: 'make one Service for each protocol',
            value: String(twin),
            at: portAt(service, 'port', ({ port }) => port === twin),
          };
    },
  },
];

export function twinIn(ports: readonly Json[]): unknown {
  return ports.find((port, index) => ports.some((other, at) => at < index && other.port === port.port))?.port;
}
