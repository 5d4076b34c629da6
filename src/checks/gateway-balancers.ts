import { Confidence } from '../contract/kubernetes.facts';
import { LoadBalancerScheme } from '../contract/load-balancer-scheme';
import type { MadeBalancer } from '../contract/made-balancer';
import { printable, shown } from '../contract/printable';
import { madeNlb } from '../controllers/aws/made';
import { AWS_LBC_CONTROLLER, AWS_LBC_SOURCE } from '../controllers/aws-load-balancer-controller/annotations';
import type { LaterNlb } from '../predicted/predicted';
import type { BalancerToReport } from '../report/report-options';
import { placeInFile } from './owner-finder';

/** A balancer that is made of a Gateway without a Service: what it costs is known, and where its packets go is not. */
export function balancerOfGateway(nlb: LaterNlb): BalancerToReport {
  const { gateway, ports, madeBy } = nlb;
  const { namespace = 'default', name = '(without a name)' } = gateway.object.metadata ?? {};
  const title = `Gateway ${namespace}/${name}`;
  const { made, unknown } = madeOfGateway(nlb);
  return {
    service: { metadata: { namespace, name }, spec: { ports } },
    namespace: printable(String(namespace)),
    name: printable(String(name)),
    owner: AWS_LBC_CONTROLLER,
    ...(made && { made }),
    unknown: printable(unknown ?? `needs the targets of ${title}: which its routes give it is not looked at here`),
    madeBy: printable(madeBy),
    workloads: [],
    place: printable(placeInFile(gateway)),
  };
}

function madeOfGateway({ scheme, subnets, ports, missing }: LaterNlb): {
  readonly made?: MadeBalancer;
  readonly unknown?: string;
} {
  if (missing !== undefined) {
    return { unknown: `needs ${missing} among the files: its scheme decides of public addresses` };
  }
  const known = Object.values(LoadBalancerScheme).find((one) => one === scheme);
  return known === undefined
    ? { unknown: `needs a scheme that exists: ${shown(scheme)} is neither internal nor internet-facing` }
    : {
        made: madeNlb(
          { spec: { ports } },
          {
            scheme: known,
            clients: { toPods: true, preserves: () => undefined },
            hasHeader: () => false,
            listeners: ports.length,
            zones: subnets,
            source: AWS_LBC_SOURCE,
            confidence: Confidence.SOURCE,
          },
        ),
      };
}
