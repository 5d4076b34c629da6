import { rulesOf } from '../../fault';
import { HAPROXY_MESSAGES, HAPROXY_RULES } from './rules.facts';

export const HAPROXY = rulesOf(HAPROXY_RULES, HAPROXY_MESSAGES);
