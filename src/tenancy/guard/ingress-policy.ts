import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { dnsNameFault } from '../../contract/kubernetes-syntax';
import type { Fault } from '../fault';
import { celText, celTexts } from './admission';
import { type DenyPolicy, denyPolicy } from './deny-policy';
import { INGRESS_CLASS_ANNOTATION, NETWORKING_GROUP } from './guard.facts';
import { ALLOWED_CLASS } from './rules';

/** What is wrong with classes of Ingresses. */
export function ingressClassesFault(classes: readonly string[] = []): Fault | undefined {
  const fault = classes.map(dnsNameFault).find((one) => one !== undefined);
  return fault === undefined
    ? undefined
    : { rule: ALLOWED_CLASS, what: `ingressClasses: ${fault}`, remedy: 'write the name of an IngressClass' };
}

/** The classes that an Ingress has: two are possible, and controllers differ in which of them they read. A list is of one type. */
function classesOf(ingress: string): string {
  const annotation = celText(INGRESS_CLASS_ANNOTATION);
  return `[dyn(${ingress}.spec.?ingressClassName.orValue('')), dyn(${ingress}.metadata.?annotations.orValue({})[?${annotation}].orValue(''))]`;
}

/**
 * Keeps Ingresses of tenants to some classes: several controllers make a load balancer for each Ingress, and one of them takes those
 * without a class. Only changes of the class are checked, so that controllers go on with what was there before.
 */
export function ingressPolicy(
  host: Construct,
  classes: readonly string[],
  policy: Pick<DenyPolicy, 'name' | 'namespaceSelector' | 'exempt' | 'help'>,
): ApiObject {
  const allowed = celTexts(classes);
  const remedy = remedyOf(classes);
  return denyPolicy(host, 'IngressPolicy', {
    ...policy,
    rules: [
      {
        apiGroups: [NETWORKING_GROUP],
        apiVersions: ['*'],
        operations: ['CREATE', 'UPDATE'],
        // who writes a status writes annotations as well
        resources: ['ingresses', 'ingresses/status'],
      },
    ],
    conditions: [
      {
        name: 'class-changed',
        expression: `oldObject == null || ${classesOf('object')} != ${classesOf('oldObject')}`,
      },
    ],
    variables: [{ name: 'classes', expression: `${classesOf('object')}.filter(c, c != '')` }],
    faults: [
      {
        when: 'size(variables.classes) == 0',
        says: celText(`Ingresses without a class are not allowed: ${remedy}`),
      },
      {
        when: `!variables.classes.all(c, c in ${allowed})`,
        says: `'ingress class ' + variables.classes.filter(c, !(c in ${allowed})).join(', ') + ${celText(` is not allowed, since its controller may make a load balancer of its own: ${remedy}`)}`,
      },
    ],
    message: `the class of the Ingress is not allowed: ${remedy}`,
  });
}

function remedyOf(classes: readonly string[]): string {
  return classes.length === 0 ? 'remove the Ingress' : `set spec.ingressClassName to ${classes.join(' or ')}`;
}
