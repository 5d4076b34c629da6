import { isMap, pointer, stepsOf } from '../contract/json';
import type { YamlPath } from '../contract/kubernetes-yaml';
import type { LoadBalancerFinding } from '../contract/options';
import type { ObjectOrigin } from '../predicted/predicted';

export function fieldOf({ at }: LoadBalancerFinding): YamlPath {
  return stepsOf(at);
}

export function pointerTo(path: YamlPath): string {
  return path.reduce<string>((at, step) => pointer(at, String(step)), '');
}

function partsOf(value: unknown, path: YamlPath = []): { readonly path: YamlPath; readonly value: unknown }[] {
  const entries: readonly [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : isMap(value)
      ? Object.entries(value)
      : [];
  return entries.flatMap(([key, one]) => [{ path: [...path, key], value: one }, ...partsOf(one, [...path, key])]);
}

export function fieldOfResource(finding: LoadBalancerFinding, { object, path }: ObjectOrigin): YamlPath {
  const field = fieldInMaker(fieldOf(finding), { object, path });
  const parts = partsOf(object).filter((part) => field.every((step, i) => part.path[i] === step));
  const inner = parts.filter(({ value }) => !isMap(value) && !Array.isArray(value) && String(value) === finding.value);
  return inner.length === 1 ? inner[0].path : field;
}

export function fieldInMaker(inService: YamlPath, { object, path }: ObjectOrigin): YamlPath {
  const key = [...inService].reverse().find((step) => typeof step === 'string');
  const paths = key === undefined ? [] : partsOf(object).map((part) => part.path);
  const holding = paths.filter((found) => found.at(-1) === key && found[0] !== 'status');
  const inPart = holding.find((found) => path.every((step, i) => found[i] === step));
  return inPart ?? (GENERAL.has(String(key)) ? undefined : holding[0]) ?? path;
}

const GENERAL = new Set(['name', 'port', 'type', 'namespace', 'labels', 'annotations', 'spec', 'metadata']);
