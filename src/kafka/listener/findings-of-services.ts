import type { Json } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';

// Of the Services of one listener most say the same, and it is reported once.

/** One Service of all that differ in their names and pods alone. */
export function unlike(services: readonly Json[]): Json[] {
  return alike(services).map(([first]) => first);
}

/** The Services that differ in their names and pods alone, together. */
export function alike(services: readonly Json[]): Json[][] {
  const found = new Map<string, Json[]>();
  for (const service of services) {
    const { annotations, labels } = service.metadata;
    const { ports, loadBalancerIP } = service.spec;
    const key = JSON.stringify([annotations, labels, ports, loadBalancerIP]);
    const others = found.get(key);
    if (others) {
      others.push(service);
    } else {
      found.set(key, [service]);
    }
  }
  return [...found.values()];
}

export interface FoundInService {
  readonly name: string;
  readonly findings: readonly LoadBalancerFinding[];
}

/** A finding with the name of the Service that it is about. */
export function ofService(name: string, finding: LoadBalancerFinding): LoadBalancerFinding {
  return { ...finding, what: `Service ${name}: ${finding.what}` };
}

/** Every finding once; with the name of the Service where not all of them have it. */
export function findingsOfServices(services: readonly FoundInService[]): LoadBalancerFinding[] {
  const keyOf = ({ ruleId, what }: LoadBalancerFinding) => `${ruleId}\n${what}`;
  const all = services.map(({ findings }) => new Set(findings.map(keyOf)));
  const everywhere = (finding: LoadBalancerFinding) => all.every((keys) => keys.has(keyOf(finding)));
  return services.flatMap(({ name, findings }, place) =>
    findings
      .filter((finding) => place === 0 || !everywhere(finding))
      .map((finding) => (everywhere(finding) ? finding : ofService(name, finding))),
  );
}
