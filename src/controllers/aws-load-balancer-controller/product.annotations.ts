import { Annotation, type AnnotationFact } from '../../contract/annotation-catalogue';
import { type Citation, Confidence } from '../../contract/kubernetes.facts';
import { AWS_PREFIX } from '../aws/annotations';

/** Upstream name of the controller. */
export const AWS_LBC = 'aws-load-balancer-controller';

/** The class that it serves unless its flag says otherwise. */
export const AWS_LBC_CLASS = 'service.k8s.aws/nlb';

/** The finalizer of the Services that it owns. pkg/shared_constants/finalizers.go */
export const AWS_LBC_FINALIZER = 'service.k8s.aws/resources';

/** Where these facts were read. */
export const AWS_LBC_SOURCE: Citation = {
  repository: 'kubernetes-sigs/aws-load-balancer-controller',
  version: 'v3.5.0',
  file: 'pkg/annotations/constants.go',
};

/** Forward actions stand beside the keys of load balancers. */
export const ACTIONS_PREFIX = 'service.beta.kubernetes.io/actions.';

/** A file of the same version. */
export const lbcFile = (file: string): Citation => ({ ...AWS_LBC_SOURCE, file });

/** The files that several facts and rules were read in. */
export const LBC_FILES = {
  loadBalancer: lbcFile('pkg/service/model_build_load_balancer.go'),
  listener: lbcFile('pkg/service/model_build_listener.go'),
  targetGroup: lbcFile('pkg/service/model_build_target_group.go'),
  securityGroup: lbcFile('pkg/service/model_build_managed_sg.go'),
  networking: lbcFile('pkg/networking/utils.go'),
  claims: lbcFile('pkg/service/service_utils.go'),
};

/** Seen on a running controller. */
export const SEEN = { confidence: Confidence.SEEN } as const;

type Facts<T> = Pick<AnnotationFact<T>, 'codec' | 'default'> & Partial<AnnotationFact<T>>;

/** An entry of the catalogue, by its key without the prefix. */
export function awsEntry<T>(name: string, fact: Facts<T>): Annotation<T> {
  const common = { badValue: 'refused', source: AWS_LBC_SOURCE, confidence: Confidence.SOURCE } as const;
  return new Annotation<T>({ key: AWS_PREFIX + name, ...common, ...fact });
}
