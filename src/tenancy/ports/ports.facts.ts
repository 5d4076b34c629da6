// What limits the ports of a balancer, beside its listeners, which each engine knows.

/** The ports that TCP has. RFC 9293, section 3.1; 0 is no port to connect to. */
export const FIRST_PORT = 1;
export const LAST_PORT = 65535;
