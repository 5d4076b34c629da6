import {
  AzureCloudProvider,
  ClientAddress,
  FinalizerPolicy,
  LoadBalancerScheme,
  NodePool,
  NodeRestriction,
  TrafficPolicy,
} from '../../../src';
import { ONE_PORT, type RequestRow } from '../../support/cases';
import { basic, internal, keys, multiple, publicly, standard, VM_SET } from './azure-cloud-provider.words';

const pool = NodePool.labeled({ 'kubernetes.azure.com/agentpool': 'pool1' }, { name: 'pool1' });

/** Which balancer, with which nodes, by which policy. */
export const placement: RequestRow[] = [
  {
    title: 'a balancer is internal unless somebody says otherwise',
    controller: standard,
    request: ONE_PORT,
    plan: {
      owner: 'cloud-provider-azure',
      finalizers: ['service.kubernetes.io/load-balancer-cleanup'],
      annotations: internal,
      loadBalancerClass: undefined,
      externalTrafficPolicy: undefined,
      nodeRestriction: NodeRestriction.NONE,
      loadBalancers: 1,
    },
    source: 'pkg/provider/azure_loadbalancer.go, requiresInternalLoadBalancer',
  },
  {
    title: 'an internal balancer says so exactly',
    controller: multiple,
    request: { ...ONE_PORT, scheme: LoadBalancerScheme.INTERNAL },
    plan: { annotations: { ...internal, ...keys({ 'azure-load-balancer-configurations': 'lb-2,lb-3' }) } },
  },
  {
    title: 'a public balancer needs no annotation',
    controller: standard,
    request: publicly,
    plan: { annotations: {} },
  },
  {
    title: 'the option decides where the request names no scheme',
    controller: () => AzureCloudProvider.standard({ loadBalancerInternal: false }),
    request: ONE_PORT,
    plan: { annotations: keys({ 'azure-load-balancer-internal': 'false' }) },
  },
  {
    title: 'an option cannot make a public request internal',
    controller: () => AzureCloudProvider.standard({ loadBalancerInternal: true }),
    request: publicly,
    problems: ["scheme asks for 'false', but the controller's option loadBalancerInternal is already 'true'"],
  },
  {
    title: 'an option cannot make an internal request public',
    controller: () => AzureCloudProvider.standard({ loadBalancerInternal: false }),
    request: { ...ONE_PORT, scheme: LoadBalancerScheme.INTERNAL },
    problems: ["scheme asks for 'true'"],
  },
  {
    title: 'the finalizer can be left to the controller',
    controller: standard,
    request: { ...ONE_PORT, finalizerPolicy: FinalizerPolicy.LEAVE_TO_CONTROLLER },
    plan: { finalizers: [] },
  },
  {
    title: 'a Basic balancer keeps to the VM set that somebody names',
    controller: () => AzureCloudProvider.basic({ virtualMachineSet: VM_SET }),
    request: {
      ports: [{ port: 80, targetPort: 8080 }],
      scheme: LoadBalancerScheme.INTERNET_FACING,
      backendNodes: pool,
    },
    plan: {
      finalizers: ['service.kubernetes.io/load-balancer-cleanup'],
      annotations: keys({ 'azure-load-balancer-mode': VM_SET }),
      loadBalancerClass: undefined,
      externalTrafficPolicy: TrafficPolicy.LOCAL,
      nodeRestriction: NodeRestriction.ON_SERVICE,
    },
    source: 'pkg/provider/azure_standard.go, GetVMSetNames',
  },
  {
    title: 'the VM set of a pool cannot be known',
    controller: basic,
    request: { ...ONE_PORT, backendNodes: pool },
    problems: ['pass AzureCloudProvider.basic({ virtualMachineSet })'],
  },
  {
    title: 'a VM set that the controller chooses is not that of a pool',
    controller: () => AzureCloudProvider.basic({ automaticVirtualMachineSet: true }),
    request: { ...ONE_PORT, backendNodes: pool },
    problems: ["backendNodes 'pool1' cannot be kept while the controller chooses the VM set"],
  },
  {
    title: 'a Basic balancer is retired, whatever it is asked',
    controller: basic,
    request: publicly,
    plan: { annotations: {} },
  },
  {
    title: 'a single Standard balancer keeps to nodes by the pods alone',
    controller: standard,
    request: { ...publicly, backendNodes: pool },
    plan: {
      annotations: {},
      externalTrafficPolicy: TrafficPolicy.LOCAL,
      nodeRestriction: NodeRestriction.BY_POD_PLACEMENT,
    },
  },
  {
    title: 'a single Standard balancer has every node as backend with policy Cluster',
    controller: standard,
    request: { ...publicly, backendNodes: pool, trafficPolicy: TrafficPolicy.CLUSTER },
    problems: ["backendNodes 'pool1' cannot be kept with traffic policy Cluster"],
  },
  {
    title: 'one of several Standard balancers serves nodes of its own',
    controller: multiple,
    request: { ...publicly, backendNodes: pool },
    plan: {
      annotations: keys({ 'azure-load-balancer-configurations': 'lb-2,lb-3' }),
      externalTrafficPolicy: TrafficPolicy.LOCAL,
      nodeRestriction: NodeRestriction.ON_SERVICE,
    },
    source: 'content/en/topics/multislb.md',
  },
  {
    title: 'the nodes of one of several balancers stay with policy Cluster',
    controller: multiple,
    request: { ...publicly, backendNodes: pool, trafficPolicy: TrafficPolicy.CLUSTER },
    plan: { externalTrafficPolicy: TrafficPolicy.CLUSTER, nodeRestriction: NodeRestriction.ON_SERVICE },
  },
  {
    title: 'several balancers need to know whose nodes are meant',
    controller: () => AzureCloudProvider.multipleStandard(),
    request: { ...publicly, backendNodes: pool },
    problems: ['pass AzureCloudProvider.multipleStandard({ configurations })'],
  },
  {
    title: 'a traffic policy is passed on',
    controller: standard,
    request: { ...publicly, trafficPolicy: TrafficPolicy.LOCAL },
    plan: { externalTrafficPolicy: TrafficPolicy.LOCAL },
  },
  {
    title: 'the client address survives with policy Local',
    controller: standard,
    request: { ...publicly, clientAddress: ClientAddress.PRESERVE },
    plan: { externalTrafficPolicy: TrafficPolicy.LOCAL },
  },
  {
    title: 'the client address is lost with policy Cluster',
    controller: standard,
    request: { ...publicly, clientAddress: ClientAddress.PRESERVE, trafficPolicy: TrafficPolicy.CLUSTER },
    problems: ['clientAddress cannot be preserved with traffic policy Cluster'],
  },
  {
    title: 'the client address is replaced with policy Cluster',
    controller: standard,
    request: { ...publicly, clientAddress: ClientAddress.REPLACE },
    plan: { externalTrafficPolicy: TrafficPolicy.CLUSTER },
  },
  {
    title: 'the client address is not replaced with policy Local',
    controller: standard,
    request: { ...publicly, clientAddress: ClientAddress.REPLACE, trafficPolicy: TrafficPolicy.LOCAL },
    problems: ['clientAddress cannot be replaced with traffic policy Local'],
  },
  {
    title: 'pods that keep the traffic see the client',
    controller: standard,
    request: { ...publicly, clientAddress: ClientAddress.REPLACE, backendNodes: pool },
    problems: ['which backendNodes needs'],
  },
  {
    title: 'clients stick to a node and a pod',
    controller: standard,
    request: { ...publicly, sessionAffinity: {} },
    plan: { annotations: {}, sessionAffinity: {} },
    source: 'pkg/provider/azure_loadbalancer.go, LoadDistributionSourceIP',
  },
];
