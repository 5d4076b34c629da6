import type { Json } from '../../contract/json';
import type { Finding, Rule, RuleContext } from '../../rules/rule';
import { annotationsOf, portsOf } from '../../rules/service-json';
import { AWS } from './annotations';
import { LBC_FILES } from './product.annotations';
import { type Annotations, hasIpTargets, portsIn } from './reading';

/** A Service to which an action forwards. */
interface Target {
  readonly serviceName: string;
  readonly servicePort?: string;
}

function targetsIn(annotations: Annotations): Target[] {
  return Object.keys(annotations).flatMap((key) => {
    const listener = AWS.actions.match(key);
    const groups = listener && AWS.actions.on(annotations, listener)?.targetGroups;
    return (groups ?? []).flatMap(({ serviceName, servicePort }) =>
      serviceName ? [{ serviceName, servicePort }] : [],
    );
  });
}

/** What is asked of each target, beside those of its name that are known; nothing where nobody can tell. */
function eachTarget(look: (target: Target, found: readonly Json[], annotations: Annotations) => Finding | undefined) {
  return (service: Json, { beside }: RuleContext): Finding[] => {
    const annotations = annotationsOf(service);
    return targetsIn(annotations).flatMap((target) => {
      const { name, namespace } = service.metadata ?? {};
      const found = target.serviceName === name ? [service] : beside?.(target.serviceName, namespace);
      return (found && look(target, found, annotations)) ?? [];
    });
  };
}

/** The rules about the Services to which listeners forward. */
export const AWS_FORWARD_ACTION_RULES: readonly Rule[] = [
  {
    id: 'action-target',
    severity: 'error',
    says: 'a Service to which an action forwards has the port, and node ports where nodes are the targets; else there is no balancer',
    source: LBC_FILES.targetGroup,
    reads: [AWS.actions],
    judge: eachTarget(({ serviceName, servicePort }, found, annotations) => {
      if (found.length !== 1) {
        return undefined;
      }
      const [target] = found;
      const { type = 'ClusterIP' } = target.spec ?? {};
      if (type === 'ClusterIP' && !hasIpTargets(annotations)) {
        return {
          what: `an action forwards to Service ${serviceName}, which is of type ClusterIP and has no node ports for instance targets`,
          remedy: 'use ip targets, or make it a Service of type NodePort',
          value: serviceName,
        };
      }
      const ports = portsOf(target);
      return servicePort === undefined || ports.some(({ name, port }) => [name, String(port)].includes(servicePort))
        ? undefined
        : {
            what: `an action forwards to port '${servicePort}' of Service ${serviceName}, which has ${portsIn(target) || 'none'}`,
            remedy: 'name a port of that Service, by its name or number',
            value: servicePort,
          };
    }),
  },
  {
    id: 'action-target-elsewhere',
    severity: 'warning',
    says: 'a Service to which an action forwards is in its app and namespace, or exists already; without it there is no balancer',
    source: LBC_FILES.listener,
    reads: [AWS.actions],
    judge: eachTarget(({ serviceName }, found) =>
      found.length > 0
        ? undefined
        : {
            what: `an action forwards to Service ${serviceName}, which is not in this namespace of the app: where it does not exist, no balancer is made`,
            remedy: 'make it in the namespace of the Service, or see to it that it exists before',
            value: serviceName,
          },
    ),
  },
];
