import type { Family } from './folder-pair';
import { INSTALLS } from './installs';
import { KUSTOMIZATIONS } from './kustomize';

/** All kinds of pairs of folders. */
export const FAMILIES: readonly Family[] = [INSTALLS, KUSTOMIZATIONS];
