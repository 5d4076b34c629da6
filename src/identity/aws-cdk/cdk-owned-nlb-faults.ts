import { portFault } from '../../contract/kubernetes-syntax';
import { isUnresolved } from '../aws/aws-arn';
import { BALANCER_NAME, DEREGISTRATION_SECONDS, HEALTH_CHECK_PATH, LISTENERS } from './cdk-owned-nlb.facts';
import {
  type CdkOwnedNlbListener,
  type CdkOwnedNlbProps,
  CdkOwnedNlbProtocol,
  CdkOwnedNlbTargetType,
} from './cdk-owned-nlb.options';

type Fault = string | undefined;

/** What is wrong with a balancer that is wished for, or nothing. */
export function balancerFault({ subnetIds, listeners, loadBalancerName }: CdkOwnedNlbProps): Fault {
  if (subnetIds.length === 0) {
    return 'there are no subnets; name at least one';
  }
  const twice = repeated(subnetIds);
  return twice === undefined
    ? (nameFault(loadBalancerName) ?? listenersFault(listeners))
    : `subnet '${twice}' is named twice, and a balancer has at most one subnet of a zone; name it once`;
}

function repeated<T>(values: readonly T[]): T | undefined {
  return values.find((value, place) => values.indexOf(value) !== place);
}

function nameFault(name: string | undefined): Fault {
  if (name === undefined || isUnresolved(name)) {
    return undefined;
  }
  const { longest, syntax, reserved } = BALANCER_NAME;
  if (name.length > longest) {
    return `loadBalancerName '${name}' has ${name.length} characters, and AWS takes ${longest}; shorten it`;
  }
  if (name.startsWith(reserved)) {
    return `loadBalancerName '${name}' begins with ${reserved}, which AWS keeps to itself; choose another one`;
  }
  return syntax.test(name)
    ? undefined
    : `loadBalancerName '${name}' is not a valid name; write letters, digits and hyphens, and no hyphen first or last`;
}

function listenersFault(listeners: readonly CdkOwnedNlbListener[]): Fault {
  if (listeners.length === 0 || listeners.length > LISTENERS) {
    return `there are ${listeners.length} listeners, and a balancer has 1 to ${LISTENERS}; make another balancer for the others`;
  }
  const twice = repeated(listeners.map(({ port }) => port));
  if (twice !== undefined) {
    return `two listeners have port ${twice}; use one of them with protocol TCP_UDP, or another port`;
  }
  return listeners.map(listenerFault).find((fault) => fault !== undefined);
}

function listenerFault(listener: CdkOwnedNlbListener): Fault {
  const { port, protocol = CdkOwnedNlbProtocol.TCP } = listener;
  const fault = portFault(port);
  if (fault !== undefined) {
    return `${fault}; choose another port`;
  }
  return (
    wordFault(port, 'protocol', protocol, CdkOwnedNlbProtocol) ??
    wordFault(port, 'targetType', listener.targetType, CdkOwnedNlbTargetType) ??
    tlsFault(listener, protocol) ??
    targetFault(listener, protocol) ??
    healthCheckFault(listener)
  );
}

/** Callers from JavaScript may pass anything. */
function wordFault(
  port: number,
  member: string,
  given: string | undefined,
  words: Readonly<Record<string, string>>,
): Fault {
  const known = Object.values(words);
  return given === undefined || known.includes(given)
    ? undefined
    : `${member} of port ${port} is '${given}'; choose one of ${known.join(', ')}`;
}

function tlsFault({ port, certificateArns, sslPolicy }: CdkOwnedNlbListener, protocol: CdkOwnedNlbProtocol): Fault {
  const isTls = protocol === CdkOwnedNlbProtocol.TLS;
  if (isTls !== (certificateArns !== undefined && certificateArns.length > 0)) {
    return `the listener of port ${port} speaks ${protocol} ${certificateArns ? 'and has certificates' : 'and has no certificate'}; only TLS has certificates, and it has at least one`;
  }
  return sslPolicy !== undefined && !isTls
    ? `the listener of port ${port} speaks ${protocol} and has sslPolicy '${sslPolicy}'; only TLS has a policy`
    : undefined;
}

function targetFault(listener: CdkOwnedNlbListener, protocol: CdkOwnedNlbProtocol): Fault {
  const { port, preserveClientIp, deregistrationDelaySeconds: delay } = listener;
  const datagrams = protocol === CdkOwnedNlbProtocol.UDP || protocol === CdkOwnedNlbProtocol.TCP_UDP;
  if (datagrams && preserveClientIp === false) {
    return `the listener of port ${port} speaks ${protocol}, whose targets always see the addresses of clients; leave preserveClientIp out`;
  }
  return delay !== undefined && (!Number.isInteger(delay) || delay < 0 || delay > DEREGISTRATION_SECONDS)
    ? `connections cannot last for ${delay} seconds on port ${port}; write 0 to ${DEREGISTRATION_SECONDS}`
    : undefined;
}

function healthCheckFault({ port, healthCheckPath: path, healthCheckPort }: CdkOwnedNlbListener): Fault {
  const fault = healthCheckPort === undefined ? undefined : portFault(healthCheckPort);
  if (fault !== undefined) {
    return `healthCheckPort of port ${port}: ${fault}; choose another port`;
  }
  const { longest, syntax } = HEALTH_CHECK_PATH;
  return path === undefined || isUnresolved(path) || (path.length <= longest && syntax.test(path))
    ? undefined
    : `healthCheckPath '${path}' of port ${port} is no path of at most ${longest} characters; write it like /ready`;
}
