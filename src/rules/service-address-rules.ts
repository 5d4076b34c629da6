import { isIP } from 'node:net';
import { type Json, list } from '../contract/json';
import { dnsNameFault, ipFault } from '../contract/kubernetes-syntax';
import { each, faultFinding, refuses, refusesField } from './api-server-rule';
import type { Rule } from './rule';

const HEADLESS = 'None';

/** The API server takes zeros in front of the numbers of an address, for what was written long ago. */
function addressFault(text: unknown): string | undefined {
  return ipFault(String(text).replace(/\b0+(?=\d)/g, ''));
}

function clusterIpFault({ clusterIP, clusterIPs }: Json): string | undefined {
  const several = list<string>(clusterIPs);
  const all = several.length > 0 ? several : [clusterIP ?? ''].filter((ip) => ip !== '');
  if (several.length > 0 && several[0] !== clusterIP) {
    return `clusterIPs begins with ${several[0]}, and clusterIP is ${clusterIP || 'not set'}`;
  }
  if (all.length > 1 && all.includes(HEADLESS)) {
    return `clusterIPs has ${HEADLESS} beside addresses`;
  }
  if (all.length > 2) {
    return `clusterIPs has ${all.length} addresses, and a Service has one of each family`;
  }
  const wrong = all.filter((ip) => ip !== HEADLESS).find((ip) => addressFault(ip) !== undefined);
  const families = all.map((ip) => isIP(ip));
  return wrong !== undefined
    ? `clusterIP: ${addressFault(wrong)}`
    : families.length > 1 && families[0] === families[1]
      ? `clusterIPs has two addresses of one family: ${all.join(', ')}`
      : undefined;
}

/** What no traffic of a balancer comes from, and where Services have no address. */
const NOT_EXTERNAL = /^(0\.0\.0\.0|127\..*|169\.254\..*|224\.0\.0\..*|::|::1|fe[89ab][0-9a-f]:.*|ff[0-9a-f]2:.*)$/i;

/** What the API server refuses in a Service of type ExternalName, which has no address in the cluster. */
function elsewhereFault(spec: Json): string | undefined {
  const { clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy, externalName } = spec;
  const set = [
    clusterIP || list(clusterIPs).length > 0 ? 'clusterIP' : '',
    list(ipFamilies).length > 0 ? 'ipFamilies' : '',
    ipFamilyPolicy === undefined ? '' : 'ipFamilyPolicy',
  ].find((field) => field !== '');
  if (set) {
    return `${set} is on a Service of type ExternalName, which has no address in the cluster`;
  }
  const name = String(externalName ?? '').replace(/\.$/, '');
  return name === ''
    ? 'the Service is of type ExternalName, and has no externalName'
    : name.includes('*')
      ? `externalName '${name}' is not a valid DNS name`
      : dnsNameFault(name);
}

/** What the API server refuses in the addresses and names of a Service that it has in the cluster. */
export const SERVICE_ADDRESS_RULES: readonly Rule[] = [
  refuses('cluster-ip', 'invalid clusterIP or clusterIPs', ({ spec }) =>
    spec?.type === 'ExternalName'
      ? undefined
      : faultFinding(clusterIpFault(spec ?? {}), 'spec', 'leave it out: the cluster chooses an address'),
  ),
  refuses('external-name', 'ExternalName without a DNS name, or with an address', ({ spec }) =>
    spec?.type === 'ExternalName'
      ? faultFinding(elsewhereFault(spec), 'spec', 'write externalName with the name of a host, and no address')
      : undefined,
  ),
  {
    ...refusesField('externalIPs', 'external-ip', 'external IP that cannot be reached from outside', (ips) =>
      each(list(ips), (ip) =>
        faultFinding(
          addressFault(ip) ?? (NOT_EXTERNAL.test(String(ip)) ? `'${ip}' is not reached from outside` : undefined),
          'spec.externalIPs',
          'remove it, or write an address that leads to a node',
        ),
      ),
    ),
    supersedes: ['external-ips-deprecated'],
  },
];
