import { isIP } from 'node:net';
import type { Annotation } from '../../contract/annotation-catalogue';
import { isIpv6 } from '../../contract/kubernetes-syntax';
import type { LoadBalancerRequest } from '../../contract/load-balancer-request';
import { LoadBalancerWish } from '../../contract/load-balancer-wish';
import type { DraftFinding, PlanDraft } from '../../contract/plan-draft';
import { AZURE, AZURE_IGNORED } from './annotations';
import type { AzureInstallation } from './encoding';
import { isPublicAddress } from './reading';

/** The addresses of the request, and the one that is shared. */
export function answerStaticAddresses(
  draft: PlanDraft,
  request: LoadBalancerRequest,
  installation: AzureInstallation,
  internal: boolean,
): void {
  const wish = request.staticAddresses ? LoadBalancerWish.STATIC_ADDRESSES : undefined;
  const shared = installation.sharedAddress === undefined ? [] : [installation.sharedAddress];
  const addresses = [...new Set([...(request.staticAddresses ?? []), ...shared])];
  for (const address of addresses) {
    const wrong = addressFault(address, addresses, installation, internal);
    if (wrong) {
      draft.refuse(wish, { ...wrong, value: address });
    } else {
      draft.annotate(wish, entryOf(address), address);
    }
  }
}

/** Why the frontend cannot have an address or the public IP of a name. */
function addressFault(
  address: string,
  all: string[],
  { sku, annotations }: AzureInstallation,
  internal: boolean,
): Omit<DraftFinding, 'value'> | undefined {
  const entry = entryOf(address);
  const other = all.find((one) => one !== address && entryOf(one) === entry);
  if (internal && !isIP(address)) {
    return {
      what: `an internal balancer cannot have a public IP, with value '${address}'`,
      remedy: 'use a private IP address, or a public balancer',
    };
  }
  if (!internal && isIP(address) && !isPublicAddress(address)) {
    return {
      what: `a public balancer cannot have the address '${address}'`,
      remedy: 'use the address of a public IP, or an internal balancer',
    };
  }
  if (all.some((one) => (isIP(one) === 0) !== (isIP(address) === 0))) {
    return { what: `names and addresses cannot be mixed, as in '${all.join(', ')}'`, remedy: 'use either' };
  }
  if (other !== undefined) {
    return {
      what: `a frontend cannot have both '${address}' and '${other}'`,
      remedy: 'use one address of each family, or one name and the option pipNameIpv6',
    };
  }
  if (AZURE_IGNORED[sku].includes(entry)) {
    return { what: `a Basic balancer cannot have a fixed address '${address}'`, remedy: 'use an IPv4 address' };
  }
  return AZURE.configurations.key() in annotations
    ? {
        what: `'${address}' cannot be fixed while configurations choose the balancer`,
        remedy: 'leave out the option configurations: the address decides',
      }
    : undefined;
}

/** Where an address, or the name of a public IP, is written. */
export function entryOf(address: string): Annotation<string> {
  if (!isIP(address)) {
    return AZURE.pipName;
  }
  return isIpv6(address) ? AZURE.loadBalancerIpv6 : AZURE.loadBalancerIpv4;
}
