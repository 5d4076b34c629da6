import { findJdk, type Jdk } from './strimzi-crds-jdk';
import { lackOfMaven } from './strimzi-crds-maven';

/** What definitions of Strimzi are made with, or what is missing. */
export function strimziToolchain(found = findJdk()): { readonly jdk: Jdk } | { readonly lack: string } {
  if ('lack' in found) {
    const lacks = [found.lack, lackOfMaven()];
    return { lack: lacks.filter((lack) => lack !== undefined).join(', and ') };
  }
  const lack = lackOfMaven(found);
  return lack === undefined ? { jdk: found } : { lack };
}
