/** Where kube-proxy tells of its node, for all Services. kubernetes/kubernetes v1.36.3, pkg/proxy/apis/config/v1alpha1/defaults.go */
export const KUBE_PROXY_HEALTH = { port: 10256, path: '/healthz' };

/** The page by which kube-proxy tells whether its node has a pod of a Service. kubernetes/cloud-provider v0.36.3, service/helpers/helper.go */
export const HEALTH_CHECK_NODE_PORT_PATH = '/healthz';
