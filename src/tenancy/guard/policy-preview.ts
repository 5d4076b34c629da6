import type { IConstruct } from 'constructs';
import type { Json } from '../../contract/json';
import { perApp } from '../../contract/per-app';
import { sameLabels } from './namespaces';

/** What a policy of the app will refuse of a tenant's objects, as far as it is known at synth. */
export interface PolicyPreview {
  /** The name of the policy. */
  readonly policy: string;
  /** The labels of the namespaces in which it holds. */
  readonly namespaceLabels: { readonly [key: string]: string };
  /** What is wrong with a finished object in a namespace, in the words of the policy. */
  readonly refusals: (object: Json, namespace: string) => readonly string[];
}

const previewsIn = perApp((): PolicyPreview[] => []);

/** Registers what a policy will refuse. */
export function rememberPreview(host: IConstruct, preview: PolicyPreview): void {
  previewsIn(host).push(preview);
}

/**
 * The policies of an app that hold in some namespaces. Identities that they do not check make no difference: what applies the files of
 * tenants may be one of them, and would apply anything.
 */
export function previewsFor(host: IConstruct, namespaceLabels: { readonly [key: string]: string }): PolicyPreview[] {
  return previewsIn(host).filter((one) => sameLabels(one.namespaceLabels, namespaceLabels));
}
