/** How the keys begin by which every controller of AWS is told about a load balancer. */
export const AWS_PREFIX = 'service.beta.kubernetes.io/aws-load-balancer-';

/** The port of a health check that is the port of the traffic. */
export const TRAFFIC_PORT = 'traffic-port';
