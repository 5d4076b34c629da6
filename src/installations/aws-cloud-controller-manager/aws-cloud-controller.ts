/**
 * A controller in the AWS cloud controller manager.
 */
export enum AwsCloudController {
  /** Tells Kubernetes addresses, zone and type of each node, and takes the taint off with which nodes begin. */
  NODE = 'cloud-node-controller',

  /** Deletes nodes whose instance is gone. */
  NODE_LIFECYCLE = 'cloud-node-lifecycle-controller',

  /**
   * Makes and deletes the balancers of Services without a class. Without it nobody takes the finalizer off that it had put on
   * its Services: they stay in Terminating, and their balancers stay in AWS.
   */
  SERVICE = 'service-lb-controller',

  /** Writes a route to the pods of each node into the route table; for networks without a plugin of AWS. */
  ROUTE = 'node-route-controller',

  /** Puts tags on the instances of nodes: those that the flags `tags` and `resources` name, without which the program ends. */
  TAGGING = 'tagging',
}
