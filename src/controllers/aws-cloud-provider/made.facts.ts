// How the controller has nodes asked where no annotation says otherwise. pkg/providers/v1/aws.go and aws_loadbalancer.go, v1.36.1

/** Of a Network Load Balancer. */
export const AWS_CLOUD_NLB_CHECKS = {
  local: { interval: 10, failures: 2 },
  cluster: { interval: 30, failures: 3 },
};

/** Of a Classic Load Balancer. */
export const AWS_CLOUD_CLASSIC_CHECK = { interval: 10, failures: 6 };
