import { dnsLabelFault, dnsNameFault } from '../../contract/kubernetes-syntax';
import { isUnresolved } from './aws-arn';

/** What is wrong with the name of a ServiceAccount, or nothing. */
export function serviceAccountFault(namespace: string, serviceAccount: string): string | undefined {
  return (
    (isUnresolved(namespace) ? undefined : dnsLabelFault(namespace)) ??
    (isUnresolved(serviceAccount) ? undefined : dnsNameFault(serviceAccount))
  );
}
