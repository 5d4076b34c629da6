import { rulesOf } from '../../fault';
import { HAPROXY_RULES } from './rules.facts';

export const HAPROXY = rulesOf(HAPROXY_RULES);
