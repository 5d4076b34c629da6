import { isMap, type Json, pointer, stepsOf } from '../contract/json';
import type { YamlPath } from '../contract/kubernetes-yaml';
import type { LoadBalancerFinding } from '../contract/options';
import type { MadeOf } from '../predicted/predicted';
import { RuleSet } from '../rules/rule-set';

interface Part {
  readonly path: YamlPath;
  readonly value: unknown;
}

/**
 * The field of an object that a finding is about: the place that it names, or else the value that it names among the fields and
 * annotations that its rule reads. Nothing if it is about the object as a whole.
 */
export function fieldOf({ ruleId, at, value }: LoadBalancerFinding, object: Json): YamlPath {
  if (at !== undefined) {
    return stepsOf(at);
  }
  const rules = RuleSet.withId(ruleId);
  const parts = partsOf(object).filter(({ path }) => path[0] !== 'apiVersion' && path[0] !== 'kind');
  const fields = rules.flatMap(({ on = [] }) => on).flatMap((on) => parts.filter(({ path }) => path.join('.') === on));
  const read = parts.filter(
    ({ path }) =>
      path.at(-2) === 'annotations' &&
      rules.some(({ reads = [] }) => reads.some((entry) => entry.match(String(path.at(-1))) !== undefined)),
  );
  const below = fields.flatMap(({ path, value: field }) => [{ path, value: field }, ...partsOf(field, path)]);
  const holding = (among: readonly Part[]) =>
    value === undefined
      ? undefined
      : (among.find((part) => textIn(part) === value || part.path.at(-1) === value) ??
        among.find((part) => value.length > 2 && textIn(part)?.includes(value)));
  return (holding([...read, ...below]) ?? read[0] ?? holding(parts) ?? fields[0])?.path ?? [];
}

export function pointerTo(path: YamlPath): string {
  return path.reduce<string>((at, step) => pointer(at, String(step)), '');
}

export function pointerToValue(object: Json, value: string): string | undefined {
  const parts = partsOf(object).filter(({ path }) => path[0] !== 'kind');
  const part = parts.find((one) => textIn(one) === value) ?? parts.find(({ path }) => path.at(-1) === value);
  return part && pointerTo(part.path);
}

function textIn({ value }: Part): string | undefined {
  return isMap(value) || Array.isArray(value) ? undefined : String(value);
}

function partsOf(value: unknown, path: YamlPath = []): Part[] {
  const entries: readonly [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : isMap(value)
      ? Object.entries(value)
      : [];
  return entries.flatMap(([key, one]) => [{ path: [...path, key], value: one }, ...partsOf(one, [...path, key])]);
}

export function fieldOfMade(finding: LoadBalancerFinding, service: Json, { object, path }: MadeOf): YamlPath {
  const field = fieldInMaker(fieldOf(finding, service), { object, path });
  const parts = partsOf(object).filter((part) => field.every((step, i) => part.path[i] === step));
  const inner = parts.filter((part) => textIn(part) === finding.value);
  return inner.length === 1 ? inner[0].path : field;
}

export function fieldInMaker(inService: YamlPath, { object, path }: MadeOf): YamlPath {
  const key = [...inService].reverse().find((step) => typeof step === 'string');
  const paths = key === undefined ? [] : partsOf(object).map((part) => part.path);
  const holding = paths.filter((found) => found.at(-1) === key && found[0] !== 'status');
  const inPart = holding.find((found) => path.every((step, i) => found[i] === step));
  return inPart ?? (GENERAL.has(String(key)) ? undefined : holding[0]) ?? path;
}

const GENERAL = new Set(['name', 'port', 'type', 'namespace', 'labels', 'annotations', 'spec', 'metadata']);
