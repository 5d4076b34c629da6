// What limits the ports of a balancer, beside its listeners, which each engine knows.

/**
 * Rules of a security group of AWS in one direction and of one family of addresses; the quota can be raised. Where the
 * controller makes the group, each port has a rule for each range of clients.
 * https://docs.aws.amazon.com/vpc/latest/userguide/amazon-vpc-limits.html; two rules a port were seen to fill the group
 * before the listeners were full, under kubernetes-sigs/aws-load-balancer-controller v3.5.0
 */
export const RULES_PER_SECURITY_GROUP = 60;

/** The ports that TCP has. RFC 9293, section 3.1; 0 is no port to connect to. */
export const FIRST_PORT = 1;
export const LAST_PORT = 65535;
