import type { Body } from '../real/api';

/** What a Service says beside its name, a selector, a port and who may connect. */
export interface Said {
  readonly metadata?: Body;
  readonly spec?: Body;
}

/** How a Service is written. */
export type Verb = 'create' | 'replace' | 'merge' | 'apply';

/** A request to an API server about a Service, and what is to become of it. */
export interface ServiceRequest {
  readonly what: string;
  /** What is there before there is a policy. */
  readonly live?: Said;
  readonly verb: Verb;
  /** The whole Service, or what is merged into it. */
  readonly said: Said;
  /** Its class, its node ports and its labels afterwards, or why it is refused. */
  readonly becomes: Outcome | RegExp;
}

/** What the policy decides of a Service. */
export interface Outcome {
  readonly loadBalancerClass?: string;
  readonly allocateLoadBalancerNodePorts?: boolean;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface Variant {
  readonly name: string;
  readonly props: { readonly loadBalancerClass?: string; readonly label?: string; readonly nodePorts?: boolean };
  readonly requests: readonly ServiceRequest[];
}

const SHARED = 'cdk8s-load-balancers/shared';
const FOREIGN = 'service.k8s.aws/nlb';
const LABELS = { [SHARED]: 'true' };

const SERVED: Outcome = { loadBalancerClass: SHARED, allocateLoadBalancerNodePorts: false, labels: LABELS };
const MADE: Said = {
  metadata: { labels: LABELS },
  spec: { loadBalancerClass: SHARED, allocateLoadBalancerNodePorts: false },
};
const UNTOUCHED: Outcome = {};

const spec = (of: Body): Said => ({ spec: of });
const labelled = (labels: Body | null, of: Body = {}): Said => ({ metadata: { labels }, spec: of });
const NO_BALANCER = { type: 'ClusterIP', loadBalancerSourceRanges: undefined };
const CLUSTER_IP = spec(NO_BALANCER);
const BACK = {
  spec: {
    type: 'ClusterIP',
    loadBalancerClass: null,
    loadBalancerSourceRanges: null,
    allocateLoadBalancerNodePorts: null,
  },
};
const note = { annotations: { 'example.com/note': 'x' } };

const created = (what: string, said: Said, becomes: Outcome | RegExp): ServiceRequest => ({
  what,
  verb: 'create',
  said,
  becomes,
});

/** Services of tenants as they write them, and as others write them over. */
const USUAL: readonly ServiceRequest[] = [
  created('a manifest as it always was', {}, SERVED),
  created('the class by its name', spec({ loadBalancerClass: SHARED }), SERVED),
  created('an empty class', spec({ loadBalancerClass: '' }), SERVED),
  created('labels of its own', labelled({ app: 'db' }), { ...SERVED, labels: { app: 'db', ...LABELS } }),
  created('no labels, in so many words', labelled({}), SERVED),
  created('labels that are null', labelled(null), SERVED),
  created('a label that says no', labelled({ [SHARED]: 'false' }), SERVED),
  created('a label that says so already', labelled(LABELS), SERVED),
  created('node ports asked for', spec({ allocateLoadBalancerNodePorts: true }), SERVED),
  created('no node ports asked for', spec({ allocateLoadBalancerNodePorts: false }), SERVED),
  created('all of it', MADE, SERVED),
  created('Local, which takes a health check node port', spec({ externalTrafficPolicy: 'Local' }), /health check node/),
  created('a node port by its number', spec({ ports: [{ port: 20000, nodePort: 30123 }] }), /node ports are not allow/),
  created('a class of others', spec({ loadBalancerClass: FOREIGN }), /loadBalancerClass service.k8s.aws\/nlb is not/),
  created('the internet', spec({ loadBalancerSourceRanges: ['0.0.0.0/0'] }), /source ranges too wide/),
  created('type ClusterIP', CLUSTER_IP, UNTOUCHED),
  created('a headless Service', spec({ ...NO_BALANCER, clusterIP: 'None' }), UNTOUCHED),
  created(
    'an ExternalName',
    spec({ ...NO_BALANCER, type: 'ExternalName', externalName: 'example.com', selector: undefined, ports: undefined }),
    UNTOUCHED,
  ),
  created('type NodePort', spec({ ...NO_BALANCER, type: 'NodePort' }), /node ports are not allowed/),
  { what: 'ClusterIP becomes LoadBalancer', live: CLUSTER_IP, verb: 'replace', said: {}, becomes: SERVED },
  {
    what: 'ClusterIP is merged into LoadBalancer',
    live: CLUSTER_IP,
    verb: 'merge',
    said: spec({ type: 'LoadBalancer', loadBalancerSourceRanges: ['10.1.0.0/16'] }),
    becomes: SERVED,
  },
  { what: 'a file without the class over what has it', live: MADE, verb: 'replace', said: {}, becomes: SERVED },
  {
    what: 'a file without the label',
    live: MADE,
    verb: 'replace',
    said: spec({ loadBalancerClass: SHARED }),
    becomes: SERVED,
  },
  { what: 'its label removed', live: MADE, verb: 'merge', said: labelled(null), becomes: SERVED },
  {
    what: 'a note on what has the class',
    live: MADE,
    verb: 'merge',
    said: { metadata: note },
    becomes: SERVED,
  },
  { what: 'back to ClusterIP', live: MADE, verb: 'merge', said: BACK, becomes: { labels: LABELS } },
  { what: 'applied over what has the class', live: MADE, verb: 'apply', said: {}, becomes: SERVED },
  { what: 'applied where nothing is', verb: 'apply', said: {}, becomes: SERVED },
  {
    what: 'what has the class and node ports from before is labelled',
    live: spec({ loadBalancerClass: SHARED }),
    verb: 'merge',
    said: labelled({ app: 'x' }),
    becomes: { loadBalancerClass: SHARED, allocateLoadBalancerNodePorts: true, labels: { app: 'x', ...LABELS } },
  },
  {
    what: 'a live Service without a class is labelled',
    live: {},
    verb: 'merge',
    said: labelled({ app: 'x' }),
    becomes: { allocateLoadBalancerNodePorts: true, labels: { app: 'x' } },
  },
  {
    what: 'a live Service without a class is written as it was',
    live: {},
    verb: 'replace',
    said: {},
    becomes: { allocateLoadBalancerNodePorts: true },
  },
  {
    what: 'a live Service without a class is to have one',
    live: {},
    verb: 'merge',
    said: spec({ loadBalancerClass: SHARED }),
    becomes: /may not change once set/,
  },
  {
    what: 'a file without the class over a class of others',
    live: spec({ loadBalancerClass: FOREIGN }),
    verb: 'replace',
    said: {},
    becomes: { loadBalancerClass: FOREIGN, allocateLoadBalancerNodePorts: true },
  },
  {
    what: 'the class of others is to become ours',
    live: spec({ loadBalancerClass: FOREIGN }),
    verb: 'merge',
    said: spec({ loadBalancerClass: SHARED }),
    becomes: /may not change once set/,
  },
  {
    what: 'ranges widened',
    live: MADE,
    verb: 'merge',
    said: spec({ loadBalancerSourceRanges: ['0.0.0.0/0'] }),
    becomes: /source ranges too wide/,
  },
  {
    what: 'a finalizer is put on it',
    live: MADE,
    verb: 'merge',
    said: { metadata: { finalizers: ['example.com/keep'] } },
    becomes: SERVED,
  },
  {
    what: 'a finalizer is removed from a Service without a class',
    live: { metadata: { finalizers: ['example.com/keep'] } },
    verb: 'merge',
    said: { metadata: { finalizers: null } },
    becomes: { allocateLoadBalancerNodePorts: true },
  },
];

const OTHER = 'lb.example.com/tcp-1.a';
const OTHER_LABEL = 'example.com/served';
const SERVED_OTHERWISE: Outcome = {
  loadBalancerClass: OTHER,
  allocateLoadBalancerNodePorts: true,
  labels: { [OTHER_LABEL]: 'true' },
};

/** What differs where node ports stay, with a class and a label of the platform's own. */
const WITH_NODE_PORTS: readonly ServiceRequest[] = [
  created('a manifest as it always was', {}, SERVED_OTHERWISE),
  created('no node ports asked for', spec({ allocateLoadBalancerNodePorts: false }), {
    ...SERVED_OTHERWISE,
    allocateLoadBalancerNodePorts: false,
  }),
  created('the shared class of others', spec({ loadBalancerClass: SHARED }), /loadBalancerClass cdk8s-load-balancers/),
  created('labels of its own', labelled({ app: 'db' }), {
    ...SERVED_OTHERWISE,
    labels: { app: 'db', [OTHER_LABEL]: 'true' },
  }),
  {
    what: 'a file without the class over what has it',
    live: spec({ loadBalancerClass: OTHER }),
    verb: 'replace',
    said: {},
    becomes: SERVED_OTHERWISE,
  },
];

export const VARIANTS: readonly Variant[] = [
  { name: 'usual', props: {}, requests: USUAL },
  {
    name: 'ports',
    props: { loadBalancerClass: OTHER, label: OTHER_LABEL, nodePorts: true },
    requests: WITH_NODE_PORTS,
  },
];
