/**
 * Where an object lacks what was written into it: paths with what was written and what is there. Fields that others added are
 * no difference; lists must be the same length.
 */
export function lackIn(live: unknown, written: unknown, path = ''): string[] {
  if (Array.isArray(written)) {
    if (!Array.isArray(live) || live.length !== written.length) {
      return [difference(path, live, written)];
    }
    return written.flatMap((each, index) => lackIn(live[index], each, `${path}/${index}`));
  }
  if (typeof written === 'object' && written !== null) {
    if (typeof live !== 'object' || live === null) {
      return [difference(path, live, written)];
    }
    return Object.entries(written).flatMap(([key, value]) =>
      lackIn((live as Record<string, unknown>)[key], value, `${path}/${key}`),
    );
  }
  return live === written ? [] : [difference(path, live, written)];
}

function difference(path: string, live: unknown, written: unknown): string {
  return `${path}: wrote ${JSON.stringify(written)}, found ${JSON.stringify(live)}`;
}

/** An object without the zeros and empty texts that the API server does not keep, where they mean the same as nothing. */
export function withoutZeros(written: unknown): unknown {
  if (Array.isArray(written)) {
    return written.map(withoutZeros);
  }
  if (typeof written === 'object' && written !== null) {
    const kept = Object.entries(written).filter(([, value]) => value !== 0 && value !== false && value !== '');
    return Object.fromEntries(kept.map(([key, value]) => [key, withoutZeros(value)]));
  }
  return written;
}
