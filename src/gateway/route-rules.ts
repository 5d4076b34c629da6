import { type Json, mapsIn } from '../contract/json';
import { portFault } from '../contract/kubernetes-syntax';
import { AT_MOST } from './gateway.facts';
import { type GatewayRule, type GatewayVerdict, gatewayApi } from './gateway-rule';
import { repeated, tooMany } from './object-rules';

const SHARED = gatewayApi('shared_types.go');
const REFERENCES = gatewayApi('object_reference_types.go');

// What the rules of several kinds of routes have in common.

function backendsOf(route: Json): Json[] {
  return mapsIn(route.spec, 'rules').flatMap((rule) => mapsIn(rule, 'backendRefs'));
}

/** How a parent is told from others. */
function parentOf({ group, kind, namespace, name }: Json): string {
  return [group, kind, namespace, name].filter(Boolean).join('/');
}

function weightFaults({ name, weight }: Json): GatewayVerdict[] {
  const isWeight = weight === undefined || (Number.isInteger(weight) && weight >= 0 && weight <= AT_MOST.weight);
  return isWeight
    ? []
    : [{ what: `backend '${name}' has weight ${weight}`, remedy: `use a whole number from 0 to ${AT_MOST.weight}` }];
}

/** The rule about the backends of a route. */
export function backendRule(id: string, kind: string): GatewayRule {
  return {
    id,
    says: `a ${kind} has one rule with 1 to ${AT_MOST.backends} backends, and a Service has a port`,
    source: REFERENCES,
    judge: (route) => {
      const rules = mapsIn(route.spec, 'rules');
      const backends = backendsOf(route);
      if (rules.length !== 1 || backends.length === 0) {
        const what = rules.length > 1 ? `the route has ${rules.length} rules` : 'the route has no backend';
        return [{ what, remedy: 'write one rule with at least one Service' }];
      }
      return [
        ...tooMany('backends', backends, AT_MOST.backends),
        ...backends
          .filter(({ group, kind = 'Service', port }) => !group && kind === 'Service' && portFault(port) !== undefined)
          .map(({ name, port }) => ({
            what: `Service '${name}' has ${port === undefined ? 'no port' : `port ${port}`} as a backend`,
            remedy: 'write the port of the Service',
          })),
        ...backends.flatMap(weightFaults),
      ];
    },
  };
}

/** The rule about the parents of a route. */
export function parentRule(id: string, kind: string): GatewayRule {
  return {
    id,
    says: `a ${kind} has at most ${AT_MOST.parents} parents, and attaches to several listeners of one by their names`,
    source: SHARED,
    judge: ({ spec }) => {
      const parents = mapsIn(spec, 'parentRefs');
      const several = repeated(parents.map(parentOf));
      const unnamed = several.filter((name) => parents.some((one) => parentOf(one) === name && !one.sectionName));
      const sections = parents.map((parent) => `${parentOf(parent)} by sectionName ${parent.sectionName}`);
      return [
        ...tooMany('parents', parents, AT_MOST.parents),
        ...unnamed.map((name) => ({
          what: `the route attaches to ${name} more than once, and not each time by the name of a listener`,
          remedy: 'say sectionName each time',
        })),
        ...repeated(sections)
          .filter((section) => !section.endsWith(' undefined'))
          .map((section) => ({ what: `the route attaches twice to ${section}`, remedy: 'write it once' })),
      ];
    },
  };
}
