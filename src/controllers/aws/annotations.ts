import type { OwnThing } from '../../contract/own-thing';

/** The prefix of the annotations of load balancers that every controller of AWS reads. */
export const AWS_PREFIX = 'service.beta.kubernetes.io/aws-load-balancer-';

/** The attribute of a balancer with which AWS refuses to delete it. docs.aws.amazon.com/elasticloadbalancing/latest/network/edit-load-balancer-attributes.html */
export const DELETION_PROTECTION = 'deletion_protection.enabled';

/** An Elastic IP of a Network Load Balancer. */
export const ELASTIC_IP: OwnThing = {
  thing: 'Elastic IP',
  fate: 'an Elastic IP is associated with one balancer, and the other one is not made',
};

/** The port of a health check that is the port of the traffic. */
export const TRAFFIC_PORT = 'traffic-port';
