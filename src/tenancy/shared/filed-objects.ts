import type { IConstruct } from 'constructs';
import type { Json } from '../../contract/json';
import { lookAt } from '../../rules/judge-object';
import type { Fault } from '../fault';
import { dnsNamesOf, isBelow } from '../guard/dns-names';
import { previewsFor } from '../guard/policy-preview';
import type { FiledObject } from './filed-object';
import { balancerHostname } from './names';
import { TENANT_DNS_NAME, TENANT_REFUSED } from './rules';
import type { TenancyRegistry } from './tenancy-registry';

/** What is wrong with objects of the files of tenants, as they are written: what policies of the app refuse, and names of others. */
export function faultsOfFiled(host: IConstruct, registry: TenancyRegistry): Fault[] {
  const previews = previewsFor(host, registry.settings.namespaceLabels);
  return registry.filed.flatMap((filed) => {
    if (!CHECKED_KINDS.has(filed.object.kind)) {
      return [];
    }
    const json = lookAt(filed.object);
    const refused = previews.flatMap(({ policy, refusals }) => {
      const said = refusals(json, filed.tenant);
      return said.length === 0
        ? []
        : [
            {
              rule: TENANT_REFUSED,
              what: `${titleOf(filed)} would be refused by the policy ${policy}: ${said.join('; ')}`,
              remedy: 'change it in the file, or what the policy allows',
            },
          ];
    });
    return [...refused, ...namesOfOthers(registry, filed, json)];
  });
}

/** Kinds that policies for tenants check; there may be thousands of others. */
const CHECKED_KINDS = new Set(['Service', 'Ingress', 'HTTPRoute', 'GRPCRoute', 'DNSEndpoint']);

function titleOf({ object: { kind, name }, path, place }: FiledObject): string {
  return `${kind} ${name} (${path}, ${place})`;
}

/** Names at the shared address that external-dns would make for a tenant, and are not its own. */
function namesOfOthers({ settings, tenants }: TenancyRegistry, filed: FiledObject, json: Json): Fault[] {
  const { lock, name: balancer, hostname, oneTeam } = settings;
  const addresses = Array.from({ length: Math.max(1, lock.balancers(balancer)) }, (_, i) =>
    balancerHostname(hostname, i),
  );
  const own = tenants.get(filed.tenant)?.domain;
  const ownerOf = (name: string): string | undefined => {
    if (addresses.includes(name)) {
      return 'the shared load balancer';
    }
    const other =
      own !== undefined && isBelow(name, own)
        ? undefined
        : [...tenants.values()].find(({ domain }) => domain !== undefined && isBelow(name, domain));
    return other && `tenant ${other.name}`;
  };
  const names = oneTeam ? [] : dnsNamesOf(json);
  const foreign = names.flatMap((name) => {
    const owner = ownerOf(name.replace(/^\*\./, ''));
    return owner === undefined ? [] : [`${name} of ${owner}`];
  });
  return foreign.length === 0
    ? []
    : [
        {
          rule: TENANT_DNS_NAME,
          what: `${titleOf(filed)} requests names that are not the tenant's, of which external-dns may make records: ${foreign.join(', ')}`,
          remedy: 'remove them, or use names in the domain of the tenant',
        },
      ];
}
