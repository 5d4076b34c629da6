// What the hook and the controller that calls it agree on.

/** The group and version of DecoratorController. metacontroller/metacontroller v4.17.2: pkg/apis/metacontroller/v1alpha1 */
export const DECORATOR_API = 'metacontroller.k8s.io/v1alpha1';

/** The group of the controller's own kinds, and those that it reads. metacontroller/metacontroller v4.17.2: manifests/production */
export const DECORATOR_GROUP = 'metacontroller.k8s.io';
export const DECORATOR_KINDS = ['compositecontrollers', 'controllerrevisions', 'decoratorcontrollers'] as const;

/** Where the controller's own manifests install it, and as whom. metacontroller/metacontroller v4.17.2: manifests/production */
export const CONTROLLER = {
  namespace: 'metacontroller',
  serviceAccount: 'metacontroller',
  podLabels: { 'app.kubernetes.io/name': 'metacontroller' },
} as const;

/**
 * Requests a second that the controller may make, and at once; with its own 5 and 10 it serves 200 Services in minutes.
 * metacontroller/metacontroller v4.17.2: pkg/cmd/metacontroller/main.go
 */
export const CLIENT_RATE = { qps: 100, burst: 200 } as const;

/** The version of messages that hold objects of other namespaces. metacontroller/metacontroller v4.17.2: docs/src/api/hook.md */
export const HOOK_VERSION = 'v2';

/** The version of NetworkPolicy. kubernetes/api v0.36: networking/v1 */
export const NETWORK_POLICY_API = 'networking.k8s.io/v1';

/** The label of what belongs together. kubernetes/website: content/en/docs/concepts/overview/working-with-objects/common-labels.md */
export const NAME_LABEL = 'app.kubernetes.io/name';

/** The annotation of the hook's pods that changes with what they run, so that they start anew. */
export const CONTENT_HASH = 'cdk8s-load-balancers/content-hash';

/** The image that runs the hook, and its user that is not root. nodejs/docker-node: 24/alpine3.22/Dockerfile */
export const NODE_IMAGE = 'node:24.11.1-alpine3.22';
export const NODE_USER = 1000;

/** The label of the Service of the hook, whose annotation has the table of ports that are set aside, and that annotation. */
export const SEATS_LABEL = 'cdk8s-load-balancers/seats';

/**
 * Ports of a balancer up to which they are set aside in one annotation, which may have 256 KiB with all others. kubernetes/apimachinery
 * v0.36.3: pkg/api/validation/objectmeta.go
 */
export const MOST_SEATS = 2000;
