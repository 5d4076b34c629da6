import type { Json } from '../../contract/json';
import { isIpv6 } from '../../contract/kubernetes-syntax';
import { KubernetesVersion } from '../../contract/kubernetes-version';
import type { ILoadBalancerController } from '../../contract/load-balancer-request';
import { HealthCheckProtocol, PortProtocol } from '../../contract/options';
import type { Rule } from '../../rules/rule';
import { rulesOf } from '../../rules/rule-set';
import { annotationsOf, isLocal, portAt, portsOf, rangeAt } from '../../rules/service-json';
import { TRAFFIC_PORT } from '../aws/facts';
import { certificateRule, tlsWithoutCertificate, tooManyRules, twiceInSubnet } from '../aws/rules';
import { AWS_CLOUD, AWS_CLOUD_GROUPS, AWS_CLOUD_SOURCE } from './annotations';
import { SSL_CHECK } from './codecs';
import {
  NLB_SECURITY_GROUPS_REFUSED_SINCE,
  NLB_SECURITY_GROUPS_SINCE,
  NLB_TYPE,
  TARGET_GROUP_ATTRIBUTES_SINCE,
} from './facts';
import { type AwsCloudKnown, isInternal, isNlb, kindOfBalancer, protocolOf, rangesOf, textOf } from './model';
import { AwsBackendProtocol } from './options';
import { AWS_CLOUD_RULE_ROWS } from './rules.facts';

const ADDRESSES = [AWS_CLOUD.eipAllocations, AWS_CLOUD.privateIpv4Addresses];

const REFUSED_SINCE: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [AWS_CLOUD.extraSecurityGroups, NLB_SECURITY_GROUPS_REFUSED_SINCE],
  [AWS_CLOUD.targetGroupAttributes, TARGET_GROUP_ATTRIBUTES_SINCE],
]);

const groupsOfNlb = (service: Json) => (isNlb(service) ? textOf(service, AWS_CLOUD.securityGroups) : undefined);

function knownOf(controller: ILoadBalancerController | undefined): AwsCloudKnown {
  return (controller as { _writer?: { known: AwsCloudKnown } } | undefined)?._writer?.known ?? {};
}

const reaches = (version: KubernetesVersion, minor: string) => version.isAtLeast(KubernetesVersion.of(minor));

const straysFor = (service: Json) => (isNlb(service) ? AWS_CLOUD_GROUPS.classic : AWS_CLOUD_GROUPS.network);

export const ignoredByAwsCloud = (service: Json) => straysFor(service).map((entry) => entry.key());

function straysOf(service: Json, controller: ILoadBalancerController | undefined, effect: 'refused' | 'ignored') {
  const { version } = knownOf(controller);
  return straysFor(service)
    .filter((entry) => textOf(service, entry) !== undefined)
    .filter((entry) => {
      const since = REFUSED_SINCE.get(entry);
      const isRefused = since !== undefined && (version === undefined || reaches(version, since));
      return isRefused === (effect === 'refused');
    })
    .map((entry) => ({
      entry,
      key: entry.key(),
      balancer: kindOfBalancer(service),
      value: textOf(service, entry),
    }));
}

export const AWS_CLOUD_RULES: readonly Rule[] = [
  certificateRule(AWS_CLOUD.sslCert),
  tlsWithoutCertificate({
    certificate: AWS_CLOUD.sslCert,
    settings: [AWS_CLOUD.sslPorts, AWS_CLOUD.sslNegotiationPolicy, AWS_CLOUD.backendProtocol],
    // HTTP needs no certificate, and TCP is no setting of TLS
    isPlain: (text, service) => ['', 'http', 'tcp', ...(isNlb(service) ? ['https'] : [])].includes(text.toLowerCase()),
    source: AWS_CLOUD_SOURCE,
  }),
  ...rulesOf({
    rows: AWS_CLOUD_RULE_ROWS,
    source: AWS_CLOUD_SOURCE,
    catalogue: { ...AWS_CLOUD, ...AWS_CLOUD_GROUPS },
    read: annotationsOf,
    finds: {
      'aws-cloud-mixed-protocols': (_, service) => {
        const value = [...new Set(portsOf(service).map(protocolOf))].join(' and ');
        const isOther = (port: Json) => protocolOf(port) !== protocolOf(portsOf(service)[0]);
        return value.includes(' and ') && { value, at: portAt(service, 'protocol', isOther) };
      },
      'aws-cloud-protocol-unsupported': (_, service) => {
        const known = isNlb(service) ? ['TCP', 'UDP'] : ['TCP'];
        const protocols = new Set(portsOf(service).map(protocolOf));
        // a mix is refused as a whole, on either balancer
        const odd = protocols.size > 1 ? undefined : portsOf(service).find((port) => !known.includes(protocolOf(port)));
        return (
          odd && {
            case: odd.protocol === 'UDP' ? 'udp' : 'other',
            port: odd.port,
            balancer: kindOfBalancer(service),
            known: known.join(' and '),
            remedy: known.join(' or '),
            value: String(odd.protocol),
            at: portAt(service, 'protocol', (port) => port === odd),
          }
        );
      },
      'aws-cloud-session-affinity-unsupported': (_, { spec }) =>
        spec?.sessionAffinity && spec.sessionAffinity !== 'None' && { value: String(spec.sessionAffinity) },
      'aws-cloud-type-unknown': (annotations) => {
        const value = AWS_CLOUD.type.on(annotations);
        return value !== undefined && value !== NLB_TYPE && { value };
      },
      'aws-cloud-annotation-unsupported': (_, service, { controller }) =>
        straysOf(service, controller, 'refused').map((stray) => ({
          ...stray,
          since: knownOf(controller).version
            ? ''
            : ` from version ${REFUSED_SINCE.get(stray.entry)} on, and not read before`,
        })),
      'aws-cloud-nlb-security-groups-unsupported-version': (_, service, { controller }) => {
        const { version } = knownOf(controller);
        const value = groupsOfNlb(service);
        if (value === undefined || version === undefined || reaches(version, NLB_SECURITY_GROUPS_SINCE)) {
          return undefined;
        }
        const isRefused = reaches(version, NLB_SECURITY_GROUPS_REFUSED_SINCE);
        return {
          fate: isRefused ? 'refused' : 'silently ignored',
          version: version.version,
          value,
          effect: isRefused ? 'refused' : 'ignored',
        };
      },
      'aws-cloud-nlb-security-groups-disabled': (_, service, { controller }) => {
        const { version, managesGroups } = knownOf(controller);
        const isKnown = version !== undefined && (managesGroups || !reaches(version, NLB_SECURITY_GROUPS_SINCE));
        const value = groupsOfNlb(service);
        return value !== undefined && !isKnown && { value };
      },
      'aws-cloud-annotation-ignored': (_, service, { controller }) =>
        straysOf(service, controller, 'ignored').map((stray) => ({
          ...stray,
          case: stray.entry === AWS_CLOUD.proxyProtocol ? 'proxy-protocol' : 'other',
        })),
      'aws-cloud-nlb-backend-protocol-ignored': (annotations, service) => {
        const value = AWS_CLOUD.backendProtocol.on(annotations);
        const idle = value === AwsBackendProtocol.HTTP || value === AwsBackendProtocol.HTTPS;
        return isNlb(service) && idle && { value };
      },
      'aws-cloud-access-logs-without-bucket': (annotations, service) =>
        AWS_CLOUD.accessLogEnabled.on(annotations) === true &&
        !textOf(service, AWS_CLOUD.accessLogS3BucketName) && { value: 'true' },
      'aws-cloud-load-balancer-ip-unsupported': (_, { spec }) =>
        spec?.loadBalancerIP && { value: String(spec.loadBalancerIP) },
      'aws-cloud-addresses-scheme-mismatch': (_, service) => {
        const wrong = isInternal(service) ? AWS_CLOUD.eipAllocations : AWS_CLOUD.privateIpv4Addresses;
        const value = textOf(service, wrong);
        const balancer = isInternal(service) ? 'an internal' : 'a public';
        return isNlb(service) && value !== undefined && { key: wrong.key(), balancer, value };
      },
      'aws-cloud-address-count-mismatch': (annotations, service) => {
        const subnets = AWS_CLOUD.subnets.on(annotations)?.length;
        return (
          isNlb(service) &&
          subnets !== undefined &&
          ADDRESSES.map((entry) => ({ key: entry.key(), addresses: entry.on(annotations) ?? [] }))
            .filter(({ addresses }) => addresses.length > 0 && addresses.length !== subnets)
            .map(({ key, addresses }) => ({ key, count: addresses.length, subnets, value: addresses.join(',') }))
        );
      },
      'aws-cloud-subnet-or-address-duplicate': (annotations, service) =>
        isNlb(service) && ADDRESSES.map((entry) => twiceInSubnet(entry.key(), entry.on(annotations) ?? [])),
      'aws-cloud-source-ranges-ignored': (annotations, service) => {
        const ranges = rangesOf(service);
        const groups = AWS_CLOUD.securityGroups.on(annotations);
        return !isNlb(service) && groups && ranges.length > 0 && { value: ranges.join(',') };
      },
      'aws-cloud-source-range-ipv6': (_, service) => {
        const value = rangesOf(service).find(isIpv6);
        return value !== undefined && { value, at: rangeAt(service, value) };
      },
      'aws-cloud-port-without-node-port': (_, service) => {
        const lost = portsOf(service).find((port) => !port.nodePort);
        return lost && service.spec?.allocateLoadBalancerNodePorts === false && { port: lost.port, value: 'false' };
      },
      'aws-cloud-node-label-without-value': (annotations) => {
        const labels = AWS_CLOUD.targetNodeLabels.on(annotations) ?? {};
        const loose = Object.keys(labels).find((key) => labels[key] === '');
        return loose !== undefined && { loose, value: `${loose}=` };
      },
      'aws-cloud-client-address-with-udp': (annotations, service) => {
        const preserve = AWS_CLOUD.targetGroupAttributes.on(annotations)?.preserveClientIp;
        const udp = portsOf(service).find((port) => protocolOf(port) === 'UDP');
        return isNlb(service) && preserve === false && udp && { port: udp.port, value: 'false' };
      },
      'aws-cloud-health-check-path-with-tcp': (annotations, service) => {
        const value = AWS_CLOUD.healthCheckPath.on(annotations);
        const fallback = isLocal(service) ? HealthCheckProtocol.HTTP : HealthCheckProtocol.TCP;
        const protocol = AWS_CLOUD.healthCheckProtocol.on(annotations) ?? fallback;
        const isPlain = protocol === HealthCheckProtocol.TCP || protocol === SSL_CHECK;
        return value !== undefined && isPlain && { protocol: protocol.toUpperCase(), value };
      },
      'aws-cloud-nlb-health-check-ssl': (annotations, service) =>
        isNlb(service) &&
        AWS_CLOUD.healthCheckProtocol.on(annotations) === SSL_CHECK && {
          value: textOf(service, AWS_CLOUD.healthCheckProtocol),
        },
      'aws-cloud-health-check-protocol-case': (annotations, service) => {
        const value = textOf(service, AWS_CLOUD.healthCheckProtocol);
        const protocol = AWS_CLOUD.healthCheckProtocol.on(annotations);
        const capitals = protocol && AWS_CLOUD.healthCheckProtocol.encode(protocol);
        return !isNlb(service) && protocol !== undefined && value !== capitals && { capitals, value };
      },
      'aws-cloud-udp-health-check-by-tcp': (_, service) => {
        const ports = portsOf(service);
        const port = textOf(service, AWS_CLOUD.healthCheckPort) ?? (isLocal(service) ? undefined : TRAFFIC_PORT);
        const udp = ports.every((each) => protocolOf(each) === PortProtocol.UDP);
        return (
          isNlb(service) &&
          ports.length > 0 &&
          udp &&
          port === TRAFFIC_PORT && {
            case: isLocal(service) ? 'local' : 'cluster',
            port: ports[0].port,
            value: PortProtocol.UDP,
            at: '/spec/ports/0/protocol',
          }
        );
      },
      'aws-cloud-security-group-rules-exceeded': (_, service) =>
        tooManyRules(portsOf(service).length, rangesOf(service)),
    },
  }),
];
