import type { Construct } from 'constructs';
import type { KubernetesVersion } from '../../contract/kubernetes-version';
import { SUSPENDED_LABEL } from '../tenancy.facts';
import { ALWAYS, celText, celTexts } from './admission';
import { denyPolicy, requirePolicySupport } from './deny-policy';

/** Where labels of namespaces are kept. */
export interface LabelPolicyScope {
  /** The name of the shared balancer. */
  readonly name: string;
  /** The labels that make a namespace one of a tenant. */
  readonly namespaceLabels: { readonly [key: string]: string };
  readonly kubernetes: KubernetesVersion;
}

/** Who may write every namespace is the platform; rights in one namespace alone are those of a tenant. */
const IS_OF_TENANT = ['update', 'patch']
  .map((verb) => `!authorizer.group('').resource('namespaces').check('${verb}').allowed()`)
  .join(' && ');

/**
 * The labels that make a namespace one of a tenant, and the one that suspends it, are changed by who may write every namespace: an
 * identity with all rights in its own namespace could resume itself, or leave the policies. All namespaces are looked at, since
 * a policy for those with a label would not see who takes it away.
 */
export function makeLabelPolicy(host: Construct, { name, namespaceLabels, kubernetes }: LabelPolicyScope): void {
  requirePolicySupport(host, kubernetes, undefined);
  const keys = celTexts([...Object.keys(namespaceLabels), SUSPENDED_LABEL].sort());
  const changed = `${keys}.exists(k, ${labels('object')}[?k] != ${labels('oldObject')}[?k])`;
  const message = 'labels that make a namespace one of a tenant, or suspend it, are changed by the platform alone';
  denyPolicy(host, 'Labels', {
    name: `${name}-labels`,
    namespaceSelector: {},
    exempt: [],
    rules: [
      {
        apiGroups: [''],
        apiVersions: ['*'],
        operations: ['UPDATE'],
        // who writes a status, or finalizers of the spec, writes labels as well
        resources: ['namespaces', 'namespaces/status', 'namespaces/finalize'],
      },
    ],
    conditions: [
      { name: 'labels-changed', expression: changed },
      { name: 'not-platform', expression: IS_OF_TENANT },
    ],
    faults: [{ when: ALWAYS, says: celText(message) }],
    message,
  });
}

function labels(of: string): string {
  return `${of}.metadata.?labels.orValue({})`;
}
