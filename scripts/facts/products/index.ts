import { AWS_LOAD_BALANCER_CONTROLLER } from './aws-load-balancer-controller';
import { ENVOY_GATEWAY, METALLB } from './balancers';
import { CLOUD_PROVIDER_AWS, CLOUD_PROVIDER_AZURE, HCLOUD } from './cloud-controllers';
import type { Product } from './product';
import { STRIMZI } from './strimzi';

/** Products whose releases are read. */
export const PRODUCTS: readonly Product[] = [
  AWS_LOAD_BALANCER_CONTROLLER,
  STRIMZI,
  CLOUD_PROVIDER_AWS,
  CLOUD_PROVIDER_AZURE,
  HCLOUD,
  METALLB,
  ENVOY_GATEWAY,
];
