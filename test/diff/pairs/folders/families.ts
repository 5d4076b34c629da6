import type { Family } from './folder-pair';
import { GATEWAYS } from './gateways';
import { INSTALLS } from './installs';
import { PORTS } from './ports';
import { SERVICES } from './services';

/** All kinds of pairs of folders. */
export const FAMILIES: readonly Family[] = [GATEWAYS, INSTALLS, PORTS, SERVICES];
