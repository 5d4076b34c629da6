import type { Citation } from '../../contract/kubernetes.facts';
import {
  EXTERNAL_DNS_HOSTNAME_ANNOTATIONS,
  EXTERNAL_DNS_SET_IDENTIFIER_ANNOTATIONS,
  FOREGROUND_FINALIZER,
  LAST_APPLIED_ANNOTATION,
  LOAD_BALANCER_CLEANUP_FINALIZER,
  ORPHAN_FINALIZER,
} from '../../contract/kubernetes.facts';
import { AWS_LBC_CONTROLLER, AWS_LBC_FINALIZER } from '../../controllers/aws-load-balancer-controller/annotations';
import { lbcFile } from '../../controllers/aws-load-balancer-controller/facts';
import { EKS_AUTO_MODE, EKS_AUTO_MODE_FINALIZER, EKS_SOURCE } from '../../controllers/eks-auto-mode/annotations';
import { GKE_CONTROLLER } from '../../controllers/gke/annotations';
import { gkeFile } from '../../controllers/gke/facts';
import { BINDING_FINALIZER, GATEWAY_FINALIZERS } from '../../policies/policy.facts';
import { ENDPOINTS_ANNOTATION, FINALIZER_PREFIX, SHARED_CLASS } from '../../tenancy/tenancy.facts';

// Words that people meet beside those of the catalogues: what they are, who writes them, and what becomes of an object.

export interface FinalizerFact {
  readonly finalizer: string;
  /** Whether names follow: `group.ingress.k8s.aws/` and the name of a group. */
  readonly isPrefix?: boolean;
  /** The kind of objects that have it. */
  readonly on: string;
  /** Who adds and removes it. */
  readonly who: string;
  /** What is cleaned up before it goes. */
  readonly guards: string;
  /** When it is added. */
  readonly added: string;
  /** What surprises. */
  readonly surprise?: string;
  /** What to do where it does not go. */
  readonly todo: string;
  readonly source: Citation;
}

const SERVICE_CONTROLLER: Citation = {
  repository: 'kubernetes/cloud-provider',
  version: 'v0.36.3',
  file: 'controllers/service/controller.go',
};
const FINALIZERS_OF_AWS = lbcFile('pkg/shared_constants/finalizers.go');
const META: Citation = {
  repository: 'kubernetes/apimachinery',
  version: 'v0.36.3',
  file: 'pkg/apis/meta/v1/types.go',
};
const GATEWAY_CLASS: Citation = {
  repository: 'kubernetes-sigs/gateway-api',
  version: 'v1.6.1',
  file: 'apis/v1/gatewayclass_types.go',
};

const RUN_AWS = `let ${AWS_LBC_CONTROLLER} run with the cluster name, class and permissions that it had, and restart it`;
const RUN_GKE = 'read the events of the object: the controllers of GKE are run by Google and try again by themselves';

function ofAws(finalizer: string, on: string, guards: string, added: string): FinalizerFact {
  return { finalizer, on, who: AWS_LBC_CONTROLLER, guards, added, todo: RUN_AWS, source: FINALIZERS_OF_AWS };
}

function ofGke(finalizer: string, on: string, guards: string): FinalizerFact {
  const added = 'by GKE, which also decides by it which of its controllers has the object';
  const surprise = 'no manifest may have it';
  return {
    finalizer,
    on,
    who: GKE_CONTROLLER,
    guards,
    added,
    surprise,
    todo: RUN_GKE,
    source: gkeFile('pkg/utils/common/finalizer.go'),
  };
}

/** Finalizers, those of Services first. */
export const FINALIZERS: readonly FinalizerFact[] = [
  {
    finalizer: LOAD_BALANCER_CLEANUP_FINALIZER,
    on: 'Service',
    who: 'the service controller of the cloud provider',
    guards: 'the balancer that the cloud provider made',
    added: 'before it asks the cloud for a balancer, to every Service of type LoadBalancer without a class',
    surprise:
      'its cleanup ignores the class: it also goes from Services that the service controller does not own, with the event DeletedLoadBalancer for a balancer that may still exist',
    todo: 'let the service controller run; where none ever will, see that the balancer is gone in the cloud and take the finalizer off by hand',
    source: SERVICE_CONTROLLER,
  },
  {
    ...ofAws(
      AWS_LBC_FINALIZER,
      'Service',
      'the Network Load Balancer with its listeners, target groups and security groups',
      'after the annotations were read without a mistake, and before the first call that makes something in AWS',
    ),
    surprise:
      'a writer of whole objects that takes it off leaves an orphan: the controller does not react to a change of finalizers alone',
  },
  {
    finalizer: EKS_AUTO_MODE_FINALIZER,
    on: 'Service',
    who: EKS_AUTO_MODE,
    guards: 'the Network Load Balancer',
    added: 'not documented',
    surprise: 'unverified: the controller is closed source, and this was seen in third-party manifests alone',
    todo: 'read the events of the Service: the controller is run by AWS and tries again by itself',
    source: EKS_SOURCE,
  },
  ofGke('gke.networking.io/l4-ilb-v1', 'Service', 'an internal balancer of the service controller'),
  ofGke('gke.networking.io/l4-ilb-v2', 'Service', 'an internal balancer with subsetting'),
  ofGke('gke.networking.io/l4-netlb-v1', 'Service', 'an external balancer with a target pool'),
  ofGke('gke.networking.io/l4-netlb-v2', 'Service', 'an external balancer with a backend service'),
  ofGke('gke.networking.io/l4-netlb-v3', 'Service', 'an external balancer with network endpoint groups'),
  {
    finalizer: FINALIZER_PREFIX,
    isPrefix: true,
    on: 'Service',
    who: 'Metacontroller, for SharedServicesAtRunTime',
    guards: 'the ports that a shared load balancer has open for the Service',
    added: 'before anything is published for a Service with the label of the class',
    surprise: 'while Metacontroller or the hook is away, deleted Services and namespaces wait',
    todo: 'let Metacontroller and the hook run; the condition of the Service says what is left of it',
    source: {
      repository: 'metacontroller/metacontroller',
      version: 'v4.17.2',
      file: 'pkg/controller/decorator/controller.go',
    },
  },
  ofGke('networking.gke.io/ingress-finalizer', 'Ingress', 'the Application Load Balancer of an Ingress'),
  ofGke('networking.gke.io/ingress-finalizer-V2', 'Ingress', 'the Application Load Balancer of an Ingress'),
  ofGke('networking.gke.io/neg-finalizer', 'ServiceNetworkEndpointGroup', 'a network endpoint group'),
  ofAws(
    BINDING_FINALIZER,
    'TargetGroupBinding',
    'the targets of a target group, and rules of security groups',
    'when it first sees the binding',
  ),
  ofAws(
    'ingress.k8s.aws/resources',
    'Ingress',
    'the Application Load Balancer of one Ingress',
    'before it makes the balancer',
  ),
  {
    ...ofAws(
      'group.ingress.k8s.aws/',
      'Ingress',
      'the Application Load Balancer that a group of Ingresses shares',
      'before it makes the balancer, with the name of the group after the slash',
    ),
    isPrefix: true,
  },
  ofAws(GATEWAY_FINALIZERS.nlb, 'Gateway', 'the Network Load Balancer of a Gateway', 'before it makes the balancer'),
  ofAws(
    GATEWAY_FINALIZERS.alb,
    'Gateway',
    'the Application Load Balancer of a Gateway',
    'before it makes the balancer',
  ),
  ofAws('gateway.k8s.aws/gatewayclass', 'GatewayClass', 'the Gateways of the class', 'while a Gateway uses the class'),
  ofAws(
    'gateway.k8s.aws/targetgroupconfigurations',
    'TargetGroupConfiguration',
    'the target groups that it configures',
    'while a Gateway or a Service uses it',
  ),
  ofAws(
    'gateway.k8s.aws/loadbalancerconfigurations',
    'LoadBalancerConfiguration',
    'the balancers that it configures',
    'while a Gateway or a class uses it',
  ),
  ofAws(
    'gateway.k8s.aws/listenerruleconfigurations',
    'ListenerRuleConfiguration',
    'the listener rules that it configures',
    'while a route uses it',
  ),
  ofAws('aga.k8s.aws/resources', 'GlobalAccelerator', 'an accelerator of AWS', 'before it makes the accelerator'),
  {
    finalizer: 'gateway-exists-finalizer.gateway.networking.k8s.io',
    on: 'GatewayClass',
    who: 'the controller of the class',
    guards: 'the Gateways of the class',
    added: 'while a Gateway uses the class',
    todo: 'delete the Gateways of the class first',
    source: GATEWAY_CLASS,
  },
  {
    finalizer: 'strimzi.io/topic-operator',
    on: 'KafkaTopic',
    who: 'the Topic Operator of the Kafka cluster',
    guards: 'the topic in Kafka',
    added: 'when the operator first sees the topic',
    todo: 'delete topics before their Kafka cluster, which runs the operator',
    source: {
      repository: 'strimzi/strimzi-kafka-operator',
      version: '1.2.0',
      file: 'topic-operator/src/main/java/io/strimzi/operator/topic/KubernetesHandler.java',
    },
  },
  {
    finalizer: FOREGROUND_FINALIZER,
    on: 'any object',
    who: 'the garbage collector of Kubernetes',
    guards: 'the objects that belong to this one and block its deletion',
    added: 'by kubectl delete --cascade=foreground',
    todo: 'find the objects with an owner reference to this one, and what holds them',
    source: META,
  },
  {
    finalizer: ORPHAN_FINALIZER,
    on: 'any object',
    who: 'the garbage collector of Kubernetes',
    guards: 'nothing: the objects that belong to this one lose their owner and stay',
    added: 'by kubectl delete --cascade=orphan',
    todo: 'wait: the garbage collector takes it off by itself; if it stays, see whether kube-controller-manager runs',
    source: META,
  },
];

/** What is known of a class that no controller of the catalogues serves. */
export interface ClassFact {
  readonly name: string;
  readonly who: string;
  readonly says: string;
  readonly source: Citation;
  /** Whether who serves it is known to put no finalizer on Services. */
  readonly isWithoutFinalizer?: boolean;
}

/** What answers for its addresses writes the status of Services and nothing else of them. */
const CILIUM = {
  isWithoutFinalizer: true,
  source: { repository: 'cilium/cilium', version: '079d9740', file: 'operator/pkg/lbipam/lbipam.go' },
} as const;

/** The classes of others, as they are by default. */
export const OTHER_CLASSES: readonly ClassFact[] = [
  {
    name: SHARED_CLASS,
    who: 'the program that publishes Services behind a shared load balancer',
    says: 'no balancer is made for the Service: it gets a port of a shared one',
    source: {
      repository: 'cdk8s-load-balancers',
      version: 'this version',
      file: 'docs/how-to/services-at-run-time.md',
    },
  },
  {
    name: 'io.cilium/bgp-control-plane',
    who: 'Cilium',
    says: 'an address of a CiliumLoadBalancerIPPool that nodes announce by BGP',
    ...CILIUM,
  },
  {
    name: 'io.cilium/l2-announcer',
    who: 'Cilium',
    says: 'an address of a CiliumLoadBalancerIPPool that one node at a time answers for',
    ...CILIUM,
  },
];

/** What is known of an annotation that no controller of load balancers reads. */
export interface AnnotationNote {
  readonly key: string;
  readonly who: string;
  readonly value: string;
  readonly says: string;
  readonly source: Citation;
}

const EXTERNAL_DNS: Citation = {
  repository: 'kubernetes-sigs/external-dns',
  version: 'v0.23.0',
  file: 'docs/annotations/annotations.md',
};

/** Annotations of Services that have to do with their balancers. */
export const OTHER_ANNOTATIONS: readonly AnnotationNote[] = [
  ...EXTERNAL_DNS_HOSTNAME_ANNOTATIONS.map((key) => ({
    key,
    who: 'external-dns',
    value: 'names, separated by commas',
    says: 'the DNS names of the address of the Service; which of the two keys is read depends on the version, 0.22 being the first to read the shorter one',
    source: EXTERNAL_DNS,
  })),
  ...EXTERNAL_DNS_SET_IDENTIFIER_ANNOTATIONS.map((key) => ({
    key,
    who: 'external-dns',
    value: 'any text',
    says: 'distinguishes several records of one name',
    source: EXTERNAL_DNS,
  })),
  {
    key: LAST_APPLIED_ANNOTATION,
    who: 'kubectl apply',
    value: 'the manifest that was applied last, as JSON',
    says: 'what kubectl compares with: what the next manifest no longer has is taken off the live object, finalizers too',
    source: { repository: 'kubernetes/api', version: 'v0.36.3', file: 'core/v1/annotation_key_constants.go' },
  },
  {
    key: ENDPOINTS_ANNOTATION,
    who: 'the constructs of a shared load balancer',
    value: 'ports with their addresses: 5432=tcp.example.com:30017',
    says: 'the addresses at which the ports of a tenant can be reached',
    source: {
      repository: 'cdk8s-load-balancers',
      version: 'this version',
      file: 'docs/how-to/share-a-load-balancer.md',
    },
  },
];

/** The API server refuses another class on a live Service. */
export const CLASS_IS_FIXED: Citation = {
  repository: 'kubernetes/kubernetes',
  version: 'v1.36.3',
  file: 'pkg/apis/core/validation/validation.go',
};
