import { isMap, isSet, type Json, listIn, mapsIn, nameIn, pointedAt } from '../contract/json';
import { dnsNameFault, ipFault } from '../contract/kubernetes-syntax';
import type { Found } from '../contract/rule';
import type { Misfit } from '../contract/schema/walk';
import type { ObjectContext, Rule } from '../rules/rule';
import { awsRulesFor } from './aws-rules';
import { TCP_ROUTE_FIELDS, TLS_ROUTE_FIELDS } from './fields.facts';
import { AT_MOST, OLDEST_TLS_ROUTE_API, TCP_ROUTE_KIND, TLS_ROUTE_KIND } from './gateway.facts';
import { REFERENCE_RULES, ROUTES_IN_APP } from './gateway-app-rules';
import { countFinding, fieldRules, nameRule, repeated, rulesOfFields, setOf } from './gateway-rule';

function parentOf({ group, kind, namespace, name }: Json): string {
  return [group, kind, namespace, name].filter(Boolean).join('/');
}

function portFound({ kind = 'Service', name, port }: Json): Found {
  return { case: 'port', kind, name: nameIn(name), port: isSet(port) ? `port ${port}` : 'no port' };
}

function withoutPort({ spec }: Json): Found[] {
  return listIn(spec, 'rules').flatMap((rule, i) =>
    listIn(rule, 'backendRefs').flatMap((backend, k) =>
      isMap(backend) && !backend.group && (backend.kind ?? 'Service') === 'Service' && !isSet(backend.port)
        ? [{ ...portFound(backend), at: `/spec/rules/${i}/backendRefs/${k}/port` }]
        : [],
    ),
  );
}

function backendFinding(value: unknown, misfit: Misfit, route: Json): Found | undefined {
  const { at, name } = misfit;
  const backend = pointedAt(route, at.slice(0, at.lastIndexOf('/'))) as Json;
  if (name === 'port') {
    return portFound(backend);
  }
  if (name === 'weight') {
    return { case: 'weight', name: nameIn(backend.name), weight: value, limit: AT_MOST.weight };
  }
  return name === 'rules' && Array.isArray(value) && value.length > 1
    ? { case: 'several', rules: value.length }
    : countFinding(value, misfit, 'backends', AT_MOST.backends, { case: 'none' });
}

const BACKENDS = { finding: backendFinding, beside: withoutPort };

function parentFindings({ spec }: Json): Found[] {
  const parents = mapsIn(spec, 'parentRefs');
  const several = repeated(parents.map(parentOf));
  const unnamed = several.filter((name) => parents.some((one) => parentOf(one) === name && !one.sectionName));
  const sections = parents.map((parent) => `${parentOf(parent)} by sectionName ${parent.sectionName}`);
  const twice = repeated(sections).filter((section) => !section.endsWith(' undefined'));
  return [
    ...unnamed.map((parent) => ({ case: 'unnamed', parent, at: '/spec/parentRefs' })),
    ...twice.map((parent) => ({ case: 'twice', parent, at: '/spec/parentRefs' })),
  ];
}

const PARENTS = {
  finding: (value: unknown, misfit: Misfit) => countFinding(value, misfit, 'parents', AT_MOST.parents),
  beside: parentFindings,
};

export const TCP_ROUTE_RULES: readonly Rule<ObjectContext>[] = [
  nameRule('tcp-route-name-invalid'),
  ...rulesOfFields(
    TCP_ROUTE_FIELDS,
    fieldRules({ 'tcp-route-backend-invalid': BACKENDS, 'tcp-route-parent-invalid': PARENTS }),
  ),
];

function isAddress(host: unknown): host is string {
  return typeof host === 'string' && ipFault(host) === undefined;
}

function hostFinding(host: unknown): Found | undefined {
  if (isAddress(host)) {
    return { case: 'address', host };
  }
  const fault = dnsNameFault(host as string);
  return fault === undefined ? undefined : { case: 'syntax', fault };
}

/** The oldest API version of a TLSRoute takes one without host names. */
function mayLackHostnames({ apiVersion, spec }: Json): boolean {
  return apiVersion === OLDEST_TLS_ROUTE_API && isMap(spec) && !isSet(spec.hostnames);
}

export const TLS_ROUTE_RULES: readonly Rule<ObjectContext>[] = [
  nameRule('tls-route-name-invalid'),
  ...rulesOfFields(
    TLS_ROUTE_FIELDS,
    fieldRules({
      'tls-route-hostname-invalid': {
        finding: (value, misfit) =>
          misfit.at !== '/spec/hostnames'
            ? hostFinding(value)
            : countFinding(value, misfit, 'hostnames', AT_MOST.hostnames, { case: 'none' }),
        // one with colons is no name to the schema either
        beside: ({ spec }) =>
          listIn(spec, 'hostnames').flatMap((host, i) =>
            isAddress(host) && !host.includes(':') ? [{ case: 'address', host, at: `/spec/hostnames/${i}` }] : [],
          ),
      },
      'tls-route-backend-invalid': BACKENDS,
      'tls-route-parent-invalid': PARENTS,
    }),
  ).map((rule) =>
    rule.id === 'tls-route-hostname-invalid'
      ? {
          ...rule,
          check: (route: Json, context: ObjectContext) =>
            mayLackHostnames(route) ? undefined : rule.check(route, context),
        }
      : rule,
  ),
];

export const TCP_ROUTE_RULE_SET = setOf([...TCP_ROUTE_RULES, ...ofApp(TCP_ROUTE_KIND)]);
export const TLS_ROUTE_RULE_SET = setOf([...TLS_ROUTE_RULES, ...ofApp(TLS_ROUTE_KIND)]);
/** The same for a route of another kind, whose fields are not looked into. */
export const OTHER_ROUTE_RULE_SET = setOf(ofApp('HTTPRoute'));

function ofApp(kind: string): readonly Rule<ObjectContext>[] {
  return [...ROUTES_IN_APP, ...REFERENCE_RULES, ...awsRulesFor(kind)];
}
