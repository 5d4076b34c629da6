import type { Api, Ref } from './api';
import { until } from './wait';

const VERSION = 'admissionregistration.k8s.io/v1';

/** What a policy answers with, before what it says. */
export const DENIED = / denied request: /;

let sentinels = 0;

/**
 * The API server judges by policies a moment after they are written, by all at once that it has seen by then. Waits until it judges
 * by every validating policy and binding that was written before, as the tests of only some of them cannot show: by one that is
 * written last, and refuses one object.
 */
export async function untilPoliciesHold(api: Api): Promise<void> {
  const name = `sentinel-${++sentinels}`;
  const policy: Ref = {
    apiVersion: VERSION,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: [''],
            apiVersions: ['v1'],
            operations: ['CREATE'],
            resources: ['configmaps'],
            resourceNames: [name],
          },
        ],
      },
      validations: [{ expression: 'false', message: 'the policies hold' }],
    },
  };
  const binding: Ref = {
    apiVersion: VERSION,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { policyName: name, validationActions: ['Deny'] },
  };
  await api.create(policy);
  await api.create(binding);
  const seen: Ref = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } };
  await untilDenied('the policies', () => api.create(seen, { dryRun: true }));
  await api.delete(binding);
  await api.delete(policy);
}

/** Waits until a policy refuses a request that it forbids. */
export function untilDenied(what: string, request: () => Promise<unknown>): Promise<unknown> {
  return until(`${what} to hold`, () =>
    request().then(
      () => false,
      (error: Error) => DENIED.test(error.message),
    ),
  );
}
