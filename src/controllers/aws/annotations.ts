/** The prefix of the annotations of load balancers that every controller of AWS reads. */
export const AWS_PREFIX = 'service.beta.kubernetes.io/aws-load-balancer-';

/** The attribute of a balancer with which AWS refuses to delete it. docs.aws.amazon.com/elasticloadbalancing/latest/network/edit-load-balancer-attributes.html */
export const DELETION_PROTECTION = 'deletion_protection.enabled';

/** The port of a health check that is the port of the traffic. */
export const TRAFFIC_PORT = 'traffic-port';
