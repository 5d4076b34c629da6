import type { Json } from '../../contract/late-rendering';

/** A map without the fields of which nothing is said. */
export function said(json: Json): Json {
  return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== undefined));
}

/** The same, and nothing where no field is left. */
export function saidAtAll(json: Json): Json | undefined {
  const left = said(json);
  return Object.keys(left).length === 0 ? undefined : left;
}
