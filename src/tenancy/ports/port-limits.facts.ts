// How many ports a balancer can have at most, as clouds and the Gateway API limit it.

/**
 * Listeners of a Network Load Balancer of AWS; the quota cannot be raised.
 * https://docs.aws.amazon.com/elasticloadbalancing/latest/network/load-balancer-limits.html; the 51st was refused with
 * TooManyListeners under kubernetes-sigs/aws-load-balancer-controller v3.5.0
 */
export const LISTENERS_PER_NETWORK_LOAD_BALANCER = 50;

/**
 * Rules of a security group of AWS in one direction and of one family of addresses; the quota can be raised.
 * https://docs.aws.amazon.com/vpc/latest/userguide/amazon-vpc-limits.html
 */
export const RULES_PER_SECURITY_GROUP = 60;

/**
 * Listeners of one ListenerSet; a Gateway has as many of its own, and the sum over its sets is left to implementations.
 * kubernetes-sigs/gateway-api v1.6.3: apis/v1/listenerset_types.go
 */
export const LISTENERS_PER_LISTENER_SET = 64;

/** The ports that TCP has. RFC 9293, section 3.1; 0 is no port to connect to. */
export const FIRST_PORT = 1;
export const LAST_PORT = 65535;
