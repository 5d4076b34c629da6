import type { Family } from './folder-pair';
import { INSTALLS } from './installs';

/** All kinds of pairs of folders. */
export const FAMILIES: readonly Family[] = [INSTALLS];
