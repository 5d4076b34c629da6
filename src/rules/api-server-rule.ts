import { isMap, isSet, type Json, list } from '../contract/json';
import { type Fault, labelKeyFault } from '../contract/kubernetes-syntax';
import type { Finding } from '../contract/rule';
import type { Rule } from './rule';

const API_SERVER = {
  repository: 'kubernetes/kubernetes',
  version: 'v1.36.3',
  file: 'pkg/apis/core/validation/validation.go',
};

export function refuses(id: string, says: string, judge: Rule['judge']): Rule {
  return { id, who: 'kubernetes', severity: 'error', effect: 'refused', says, source: API_SERVER, judge };
}

export function refusesField(
  field: string,
  id: string,
  says: string,
  // biome-ignore lint/suspicious/noExplicitAny: anything may be in a field
  judge: (value: any, spec: Json) => Finding | Finding[] | undefined,
): Rule {
  return { ...refuses(id, says, ({ spec }) => judge(spec?.[field], spec ?? {})), on: [`spec.${field}`] };
}

export function faultFinding(fault: Fault, field: string, remedy: string): Finding | undefined {
  return fault === undefined ? undefined : { what: `${field}: ${fault}`, remedy, value: fault };
}

/** What is reported of each item, without an array where nothing is. */
export function each<T>(items: readonly T[], look: (item: T) => Finding | undefined): Finding[] | undefined {
  let found: Finding[] | undefined;
  for (let i = 0; i < items.length; i++) {
    const finding = look(items[i]);
    if (finding) {
      found ??= [];
      found.push(finding);
    }
  }
  return found;
}

/** The same for the ports of a Service: a finding leads to the field of its port, or to the port that lacks the field. */
export function eachPort(
  service: Json,
  field: string,
  look: (port: Json) => Finding | undefined,
): Finding[] | undefined {
  return each([...list<Json>(service.spec?.ports).entries()], ([i, port]) => {
    const finding = isMap(port) ? look(port) : undefined;
    return finding && { at: `/spec/ports/${i}${isSet(port[field]) ? `/${field}` : ''}`, ...finding };
  });
}

/** The same for the entries of a map. */
export function eachEntry(
  map: unknown,
  look: (key: string, value: unknown) => Finding | undefined,
): Finding[] | undefined {
  let found: Finding[] | undefined;
  if (isMap(map)) {
    for (const key in map) {
      const finding = look(key, map[key]);
      if (finding) {
        found ??= [];
        found.push(finding);
      }
    }
  }
  return found;
}

/** Keys are few and recur: each is looked at once. */
const knownKeys = new Map<string, string>();

export function keyFault(key: string): Fault {
  let fault = knownKeys.get(key);
  if (fault === undefined) {
    if (knownKeys.size > 10_000) knownKeys.clear();
    fault = labelKeyFault(key) ?? '';
    knownKeys.set(key, fault);
  }
  return fault === '' ? undefined : fault;
}
