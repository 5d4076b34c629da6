import { AnnotationCatalogue } from '../../contract/annotation-catalogue';
import { AWS_PREFIX } from '../aws/annotations';
import { AWS_ADDRESSES } from './addresses.annotations';
import { AWS_BALANCER } from './balancer.annotations';
import { AWS_HEALTH_CHECK } from './health-check.annotations';
import { AWS_LISTENER } from './listener.annotations';
import { ACTIONS_PREFIX } from './product.annotations';
import { AWS_SECURITY } from './security.annotations';
import { AWS_TARGET_GROUP } from './target-group.annotations';

/** The annotations of the AWS Load Balancer Controller for Services. */
export const AWS = {
  ...AWS_BALANCER,
  ...AWS_ADDRESSES,
  ...AWS_LISTENER,
  ...AWS_TARGET_GROUP,
  ...AWS_HEALTH_CHECK,
  ...AWS_SECURITY,
};

/** All of them. */
export const AWS_LBC_CATALOGUE = new AnnotationCatalogue([AWS_PREFIX, ACTIONS_PREFIX], Object.values(AWS));
