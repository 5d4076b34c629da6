import { isMap } from './json';

/** Whether all of a value is in another one; what the API server adds is in that alone. */
export function isPart(value: unknown, whole: unknown): boolean {
  if (Array.isArray(value)) {
    return Array.isArray(whole) && value.length === whole.length && value.every((one, i) => isPart(one, whole[i]));
  }
  if (isMap(value)) {
    return isMap(whole) && Object.keys(value).every((key) => isPart(value[key], whole[key]));
  }
  return value === whole || (value ?? undefined) === (whole ?? undefined);
}
