import type { Citation } from '../contract/kubernetes.facts';

// Controllers of load balancers whose rules are not known here, and the signs of each in a cluster.

/** A kind of objects that configure a controller. */
export interface MarkedKind {
  readonly group: string;
  readonly kind: string;
}

/** A controller without rules here, and its signs. */
export interface OtherController {
  /** The name in the context file. */
  readonly id: string;
  /** The name in messages. */
  readonly name: string;
  /** Beginnings of keys of annotations and labels of Services that no other controller reads. */
  readonly keys: readonly string[];
  /** Keys with such a beginning that Services of another controller have as well. */
  readonly sharedKeys?: readonly string[];
  /** Whether its workloads and Nodes run without it making balancers, so that they are no sign of it. */
  readonly hasOtherTasks?: true;
  /** Classes that it serves as it is installed by default; one that ends with a slash stands for all that begin so. */
  readonly classes: readonly string[];
  /** Whether it takes Services without a class as it is installed by default. */
  readonly takesClassless: boolean;
  /** Beginnings of the provider IDs of the Nodes of its cloud. */
  readonly providerIds?: readonly string[];
  /** The controller that it is built on, whose signs its Services have as well. */
  readonly basedOn?: string;
  /** Finalizers that it alone writes; many write that of the service controller. */
  readonly finalizers?: readonly string[];
  /** Conditions that it writes into the status of Services. */
  readonly conditions?: readonly string[];
  /** The label of the workload that it makes for a Service, with the name of the Service, and the label with its namespace. */
  readonly workloadLabels?: { readonly name: string; readonly namespace: string };
  /** Sources of its events, where no other program has that name. */
  readonly eventSources?: readonly string[];
  /** Reasons of events that no other program reports. */
  readonly eventReasons?: readonly string[];
  /** Kinds of its address pools, announcements and peers. */
  readonly kinds?: readonly MarkedKind[];
  /** How the images of its workloads end, before tag or digest. */
  readonly images?: readonly string[];
  /** ConfigMaps and Secrets that configure it, by their default names. */
  readonly configs?: readonly string[];
  readonly source: Citation;
}

const CLOUD = { classes: [], takesClassless: true } as const;

function cite(repository: string, version: string, file: string): Citation {
  return { repository, version, file };
}

const ANNOTATIONS = 'service.beta.kubernetes.io/';

/** Each controller once, those of clusters of one's own first. */
export const OTHER_CONTROLLERS: readonly OtherController[] = [
  {
    id: 'cilium',
    name: 'Cilium',
    keys: ['lbipam.cilium.io/', 'io.cilium/lb-ipam-', 'io.cilium.nodeipam/'],
    classes: ['io.cilium/'],
    takesClassless: true,
    hasOtherTasks: true,
    conditions: ['cilium.io/IPAMRequestSatisfied'],
    kinds: [
      { group: 'cilium.io', kind: 'CiliumLoadBalancerIPPool' },
      { group: 'cilium.io', kind: 'CiliumL2AnnouncementPolicy' },
      { group: 'cilium.io', kind: 'CiliumBGPAdvertisement' },
      { group: 'cilium.io', kind: 'CiliumBGPClusterConfig' },
      { group: 'cilium.io', kind: 'CiliumBGPNodeConfigOverride' },
      { group: 'cilium.io', kind: 'CiliumBGPPeerConfig' },
      { group: 'cilium.io', kind: 'CiliumBGPPeeringPolicy' },
    ],
    images: ['cilium/cilium', 'cilium/operator', 'cilium/operator-generic'],
    configs: ['cilium-config'],
    source: cite(
      'cilium/cilium',
      '079d9740',
      'operator/pkg/lbipam/lbipam.go, operator/pkg/nodeipam, pkg/annotation/k8s.go',
    ),
  },
  {
    id: 'k3s-servicelb',
    name: 'ServiceLB of k3s',
    keys: ['svccontroller.k3s.cattle.io/'],
    ...CLOUD,
    hasOtherTasks: true,
    providerIds: ['k3s://'],
    finalizers: ['svccontroller.k3s.cattle.io/daemonset'],
    workloadLabels: {
      name: 'svccontroller.k3s.cattle.io/svcname',
      namespace: 'svccontroller.k3s.cattle.io/svcnamespace',
    },
    eventReasons: ['AppliedDaemonSet', 'DeletedDaemonSet', 'UnAvailableLoadBalancer'],
    images: ['rancher/klipper-lb'],
    source: cite('k3s-io/k3s', '0821db5a', 'pkg/cloudprovider/servicelb.go'),
  },
  {
    id: 'kube-vip',
    name: 'kube-vip',
    keys: ['kube-vip.io/'],
    sharedKeys: ['kube-vip.io/ignore'],
    classes: ['kube-vip.io/kube-vip-class'],
    takesClassless: true,
    hasOtherTasks: true,
    images: ['kube-vip/kube-vip', 'plndr/kube-vip', 'kube-vip/kube-vip-iptables', 'kube-vip/kube-vip-cloud-provider'],
    configs: ['kubevip'],
    source: cite('kube-vip/kube-vip', 'v1.2.3', 'pkg/kubevip/annotations.go, pkg/kubevip/constants.go'),
  },
  {
    id: 'purelb',
    name: 'PureLB',
    keys: ['purelb.io/'],
    classes: ['purelb.io/purelb', 'purelb.io/purelbv2'],
    takesClassless: true,
    eventSources: ['purelb-allocator', 'purelb-lbnodeagent'],
    kinds: [
      { group: 'purelb.io', kind: 'ServiceGroup' },
      { group: 'purelb.io', kind: 'LBNodeAgent' },
      { group: 'bgp.purelb.io', kind: 'BGPConfiguration' },
    ],
    images: ['purelb/allocator', 'purelb/lbnodeagent'],
    source: cite('purelb/purelb', '08b4e190', 'pkg/apis/purelb/v2/annotations.go, pkg/apis/purelb/v2/classes.go'),
  },
  {
    id: 'kube-loxilb',
    name: 'LoxiLB',
    keys: ['loxilb.io/'],
    classes: ['loxilb.io/loxilb'],
    takesClassless: false,
    kinds: [
      { group: 'loxiurl.loxilb.io', kind: 'LoxiURL' },
      { group: 'bgppeer.loxilb.io', kind: 'BGPPeerService' },
      { group: 'bgppolicyapply.loxilb.io', kind: 'BGPPolicyApplyService' },
      { group: 'bgppolicydefinedsets.loxilb.io', kind: 'BGPPolicyDefinedSetsService' },
      { group: 'bgppolicydefinition.loxilb.io', kind: 'BGPPolicyDefinitionService' },
    ],
    images: ['loxilb-io/kube-loxilb', 'loxilb-io/loxilb'],
    source: cite('loxilb-io/kube-loxilb', '3d62e04', 'pkg/agent/manager/loadbalancer/loadbalancer.go'),
  },
  {
    id: 'calico',
    name: 'Calico',
    keys: ['projectcalico.org/ipv4pools', 'projectcalico.org/ipv6pools', 'projectcalico.org/loadBalancerIPs'],
    classes: [],
    takesClassless: false,
    source: cite(
      'projectcalico/calico',
      '00d6a376',
      'kube-controllers/pkg/controllers/loadbalancer/loadbalancer_controller.go',
    ),
  },
  {
    id: 'tailscale',
    name: 'Tailscale',
    keys: [],
    classes: ['tailscale'],
    takesClassless: false,
    finalizers: ['tailscale.com/finalizer', 'tailscale.com/service-pg-finalizer'],
    kinds: [
      { group: 'tailscale.com', kind: 'ProxyClass' },
      { group: 'tailscale.com', kind: 'ProxyGroup' },
    ],
    images: ['tailscale/k8s-operator'],
    source: cite('tailscale/tailscale', 'de9ec7ee', 'cmd/k8s-operator/sts.go, cmd/k8s-operator/svc-for-pg.go'),
  },
  {
    id: 'digitalocean-cloud-controller-manager',
    name: 'DigitalOcean',
    keys: [
      `${ANNOTATIONS}do-loadbalancer-`,
      'service.kubernetes.io/do-loadbalancer-',
      'kubernetes.digitalocean.com/load-balancer-',
    ],
    ...CLOUD,
    providerIds: ['digitalocean://'],
    images: ['digitalocean/digitalocean-cloud-controller-manager'],
    source: cite(
      'digitalocean/digitalocean-cloud-controller-manager',
      '70d527e3',
      'cloud-controller-manager/do/lb_annotations.go',
    ),
  },
  {
    id: 'openstack-cloud-controller-manager',
    name: 'OpenStack',
    keys: ['loadbalancer.openstack.org/', `${ANNOTATIONS}openstack-internal-load-balancer`],
    ...CLOUD,
    providerIds: ['openstack://'],
    images: ['openstack-cloud-controller-manager'],
    configs: ['cloud-config'],
    source: cite('kubernetes/cloud-provider-openstack', 'v1.36.0', 'pkg/openstack/loadbalancer.go'),
  },
  {
    id: 'ovh-cloud-controller-manager',
    name: 'OVHcloud',
    keys: ['loadbalancer.ovhcloud.com/'],
    ...CLOUD,
    basedOn: 'openstack-cloud-controller-manager',
    source: cite(
      'ovh/docs',
      '73a76c77',
      'pages/public_cloud/containers_orchestration/managed_kubernetes/expose_your_applications_using_a_load_balancer/guide.en-gb.md',
    ),
  },
  {
    id: 'oci-cloud-controller-manager',
    name: 'Oracle Cloud',
    keys: [
      `${ANNOTATIONS}oci-load-balancer-`,
      'oci.oraclecloud.com/',
      'oci-network-load-balancer.oraclecloud.com/',
      'oke.oci.oraclecloud.com/',
    ],
    ...CLOUD,
    providerIds: ['oci://', 'ocid1.'],
    images: ['oracle/cloud-provider-oci'],
    source: cite(
      'oracle/oci-cloud-controller-manager',
      'v1.35.0',
      'pkg/cloudprovider/providers/oci/load_balancer_spec.go',
    ),
  },
  {
    id: 'linode-cloud-controller-manager',
    name: 'Linode',
    keys: [`${ANNOTATIONS}linode-loadbalancer-`],
    ...CLOUD,
    providerIds: ['linode://'],
    images: ['linode/linode-cloud-controller-manager'],
    source: cite('linode/linode-cloud-controller-manager', 'b9aa9012', 'cloud/annotations/annotations.go'),
  },
  {
    id: 'scaleway-cloud-controller-manager',
    name: 'Scaleway',
    keys: [`${ANNOTATIONS}scw-loadbalancer-`],
    ...CLOUD,
    providerIds: ['scaleway://'],
    images: ['scaleway/scaleway-cloud-controller-manager'],
    source: cite('scaleway/scaleway-cloud-controller-manager', 'bddc17f', 'scaleway/loadbalancers_annotations.go'),
  },
  {
    id: 'vultr-cloud-controller-manager',
    name: 'Vultr',
    keys: [`${ANNOTATIONS}vultr-loadbalancer-`],
    ...CLOUD,
    providerIds: ['vultr://'],
    images: ['vultr/vultr-cloud-controller-manager'],
    source: cite('vultr/vultr-cloud-controller-manager', 'v0.18.0', 'vultr/loadbalancers.go'),
  },
  {
    id: 'exoscale-cloud-controller-manager',
    name: 'Exoscale',
    keys: [`${ANNOTATIONS}exoscale-loadbalancer-`],
    ...CLOUD,
    providerIds: ['exoscale://'],
    images: ['exoscale/cloud-controller-manager'],
    source: cite('exoscale/exoscale-cloud-controller-manager', '32c9584f', 'exoscale/loadbalancer.go'),
  },
  {
    id: 'upcloud-cloud-controller-manager',
    name: 'UpCloud',
    keys: [`${ANNOTATIONS}upcloud-load-balancer-`],
    ...CLOUD,
    source: cite('UpCloudLtd/uks-instructions', '577ee1c', 'ccm/README.md'),
  },
  {
    id: 'civo-cloud-controller-manager',
    name: 'Civo',
    keys: ['kubernetes.civo.com/'],
    ...CLOUD,
    providerIds: ['civo://'],
    images: ['civo-cloud-controller-manager'],
    source: cite('civo/civo-cloud-controller-manager', '0c98dc9', 'cloud-controller-manager/civo/loadbalancer.go'),
  },
  {
    id: 'ibm-cloud-controller-manager',
    name: 'IBM Cloud',
    keys: ['service.kubernetes.io/ibm-load-balancer-cloud-provider-'],
    ...CLOUD,
    providerIds: ['ibm://'],
    source: cite('IBM-Cloud/cloud-provider-ibm', '568c208', 'pkg/vpcctl/vpc_config.go, ibm/ibm_instances.go'),
  },
  {
    id: 'alibaba-cloud-controller-manager',
    name: 'Alibaba Cloud',
    keys: [`${ANNOTATIONS}alibaba-cloud-`, `${ANNOTATIONS}alicloud-`],
    classes: ['alibabacloud.com/nlb'],
    takesClassless: true,
    providerIds: ['alicloud://'],
    finalizers: ['service.k8s.alibaba/resources', 'service.k8s.alibaba/nlb'],
    images: ['acs/cloud-controller-manager-amd64', 'acs/cloud-controller-manager'],
    source: cite(
      'kubernetes/cloud-provider-alibaba-cloud',
      'v2.14.0',
      'pkg/controller/helper/service_utils.go, pkg/controller/service/reconcile/annotation/annotations.go',
    ),
  },
  {
    id: 'tencent-cloud-controller-manager',
    name: 'Tencent Cloud',
    keys: [
      'service.kubernetes.io/qcloud-loadbalancer-',
      'service.kubernetes.io/tke-existed-lbid',
      'service.cloud.tencent.com/',
    ],
    ...CLOUD,
    source: cite('kubernetes/website', '7f1bc248', 'content/en/docs/concepts/services-networking/service.md'),
  },
  {
    id: 'baidu-cloud-controller-manager',
    name: 'Baidu Cloud',
    keys: [`${ANNOTATIONS}cce-load-balancer-`],
    ...CLOUD,
    source: cite('kubernetes/website', '7f1bc248', 'content/en/docs/concepts/services-networking/service.md'),
  },
];

/** A controller of load balancers that is not listed. */
export const UNLISTED = 'cloud-controller-manager';

/** The images of workloads that most likely run such a controller. */
export const UNLISTED_IMAGE = /(^|[/-])(cloud-controller-manager|ccm)(-(amd64|arm64))?(:[^/]*)?(@.*)?$/;
