import { Names } from 'cdk8s';
import type { Construct } from 'constructs';

/** A name for the object of a construct, made of its path. */
export function nameFor(host: Construct): string {
  return Names.toDnsLabel(host);
}
