import { ACCEPTABLE } from '../../contract/outcome';
import { type SchemaField, Shape } from '../../contract/schema/field';
import { AWS_CLOUD_CONTROLLER } from '../../controllers/aws-cloud-provider/annotations';
import { AWS_LBC_CONTROLLER } from '../../controllers/aws-load-balancer-controller/annotations';
import { AZURE_CONTROLLER } from '../../controllers/azure-cloud-provider/annotations';
import { EKS_AUTO_MODE } from '../../controllers/eks-auto-mode/annotations';
import { GKE_CONTROLLER } from '../../controllers/gke/annotations';
import { GkeLoadBalancerGeneration } from '../../controllers/gke/options';
import { HCLOUD_CONTROLLER } from '../../controllers/hetzner-cloud/annotations';
import { METALLB_CONTROLLER } from '../../controllers/metal-lb/annotations';
import { METALLB_NAMESPACE } from '../../controllers/metal-lb/facts';

// The keys of load-balancers.yaml: the reader and the published schema are both made of these.

/** A key of the context file. */
export interface ContextField extends SchemaField {
  /** What it is, for editors. */
  readonly says: string;
  /** A value as one writes it. */
  readonly example: string;
  /** Whether it is a version: YAML reads `1.30` as the number 1.3. */
  readonly isVersion?: true;
  /** The fields of each entry of a list, or of a map whose keys are names. */
  readonly entries?: ContextFields;
  /** The fields of a map. */
  readonly within?: ContextFields;
  /** What the keys of a map of numbers match. */
  readonly amounts?: RegExp;
  /** Whether each entry is a controller: its name, or a map with its name and options. */
  readonly ofControllers?: true;
}

export type ContextFields = Readonly<Record<string, ContextField>>;

/** Versions as people write them; who knows the product looks closer. */
export const VERSION_SYNTAX = /^v?\d+(\.\d+)+([-+][\w.+-]+)?$/;

function version(says: string, example: string): ContextField {
  return { shape: Shape.ANYTHING, isVersion: true, says, example };
}

/** A taint as kubectl writes it. */
export const TAINT_SYNTAX = /^([^=:\s]+)(?:=([^=:\s]*))?:(NoSchedule|PreferNoSchedule|NoExecute)$/;

/** What distinguishes the nodes of a pool. */
export const NODE_POOL_FIELDS: ContextFields = {
  labels: {
    shape: Shape.TEXT_MAP,
    required: true,
    atLeast: 1,
    takes: 'a map of at least one label',
    says: 'the labels that all nodes of the pool, and no others, carry together',
    example: '{ eks.amazonaws.com/nodegroup: ingest }',
  },
  taints: {
    shape: Shape.TEXTS,
    pattern: TAINT_SYNTAX,
    takes: 'a taint such as dedicated=ingest:NoSchedule',
    says: 'the taints of its nodes, as kubectl writes them',
    example: "['dedicated=ingest:NoSchedule']",
  },
  zones: { shape: Shape.TEXTS, says: 'the zones that its nodes are in', example: '[eu-west-1a, eu-west-1b]' },
};

/** A finding, or what a change does to a balancer, that somebody accepts. */
export const ACCEPTED_FIELDS: ContextFields = {
  rule: { shape: Shape.TEXT, says: 'the id of the rule whose finding is accepted', example: 'annotation-unknown' },
  outcome: {
    shape: Shape.TEXT,
    values: ACCEPTABLE,
    says: 'what a change may do to the balancer of the object, as diff calls it; in place of a rule',
    example: 'replaced',
  },
  object: {
    shape: Shape.TEXT,
    pattern: /^([A-Z]\w* )?[^\s/]+(\/[^\s/]+)?$/,
    takes: 'namespace/name, or Kind namespace/name',
    says: 'the object that it is accepted at, namespace/name or Kind namespace/name; without it, every object; an outcome needs it',
    example: 'edge/echo',
  },
  reason: {
    shape: Shape.TEXT,
    required: true,
    pattern: /\S/,
    takes: 'a reason in words',
    says: 'why it is accepted, for the next reader',
    example: "'three nodes, three pods, one each'",
  },
  until: {
    shape: Shape.TEXT,
    pattern: /^\d{4}-\d{2}-\d{2}$/,
    takes: 'a day such as 2027-06-30',
    says: 'the last day on which it is accepted; without it, it always is',
    example: '2027-06-30',
  },
};

/** What the balancers of the set may cost and use, and what that is computed with. */
export const BUDGET_FIELDS: ContextFields = {
  maxMonthlyCost: {
    shape: Shape.FREE,
    amounts: /^[A-Z]{3}$/,
    takes: 'a map of currencies such as USD to numbers of 0 or more',
    says: 'the most that they may cost a month by the price lists of their vendors, by currency',
    example: '{ USD: 100 }',
  },
  maxQuotaPercent: {
    shape: Shape.NUMBER,
    atLeast: 0,
    takes: 'a number of 0 or more',
    says: 'the most that they may use of any quota, in percent',
    example: '80',
  },
  zones: {
    shape: Shape.INTEGER,
    atLeast: 1,
    takes: 'a whole number of 1 or more',
    says: 'in how many zones a balancer is, where its Service does not say it',
    example: '3',
  },
  gbPerMonth: {
    shape: Shape.NUMBER,
    atLeast: 0,
    takes: 'a number of 0 or more',
    says: 'gigabytes of a month through each balancer, both directions together',
    example: '500',
  },
  connections: {
    shape: Shape.NUMBER,
    atLeast: 0,
    takes: 'a number of 0 or more',
    says: 'connections that are open at a time through each balancer',
    example: '10000',
  },
  quotas: {
    shape: Shape.FREE,
    amounts: /^\S/,
    takes: 'a map of ids of quotas to numbers',
    says: 'quotas of the account by their ids, which the report names; without them, those of a new account',
    example: '{ aws-nlbs: 100 }',
  },
};

/** A chart that `helm template` renders. */
export const HELM_FIELDS: ContextFields = {
  chart: {
    shape: Shape.TEXT,
    required: true,
    pattern: /^[^-]/,
    takes: 'the folder of a chart',
    says: 'the folder of the chart, from the folder of this file; its dependencies are vendored in it',
    example: 'charts/shop',
  },
  release: {
    shape: Shape.TEXT,
    pattern: /^[a-z0-9]([-a-z0-9.]{0,51}[a-z0-9])?$/,
    takes: 'the name of a release',
    says: 'the name of the release; the name of the chart by default',
    example: 'shop',
  },
  namespace: {
    shape: Shape.TEXT,
    pattern: /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/,
    takes: 'the name of a namespace',
    says: 'the namespace of the release; default by default',
    example: 'shop',
  },
  values: {
    shape: Shape.TEXTS,
    pattern: /^[^-]/,
    takes: 'a file of values',
    says: 'files of values in the order in which helm takes them, from the folder of this file',
    example: '[values/prod.yaml]',
  },
};

/** One of the places from which objects are applied to a cluster. */
export const SOURCE_FIELDS: ContextFields = {
  kustomize: {
    shape: Shape.TEXT,
    pattern: /^[^-]/,
    takes: 'a folder with a kustomization.yaml',
    says: 'a folder that kustomize build renders',
    example: 'overlays/eks-prod',
  },
  helm: {
    shape: Shape.FREE,
    within: HELM_FIELDS,
    says: 'a chart that helm template renders',
    example: '{ chart: charts/shop, release: shop, namespace: shop, values: [values/prod.yaml] }',
  },
  files: {
    shape: Shape.TEXTS,
    pattern: /^[^-]/,
    takes: 'a file, a folder or a pattern',
    says: 'files, folders and patterns of manifests that are applied as they are',
    example: '[dist/prod]',
  },
};

/** What is known of one cluster. */
const KNOWN_FIELDS: ContextFields = {
  kubernetes: version('the version of the API server', "'1.36'"),
  controllers: {
    shape: Shape.FREE_LIST,
    ofControllers: true,
    says: "all load balancer controllers that run in the cluster, the cloud's own among them",
    example: `[${AWS_CLOUD_CONTROLLER}, ${AWS_LBC_CONTROLLER}]`,
  },
  strimzi: version('the version of the Strimzi operator', '0.45.0'),
  keeper: {
    shape: Shape.BOOLEAN,
    says: 'whether a LoadBalancerKeeper runs, so that operators strip no finalizer and no class',
    example: 'true',
  },
  region: {
    shape: Shape.TEXT,
    pattern: /^[a-z][a-z0-9-]*$/,
    takes: 'a region such as eu-west-1',
    says: 'the region of the cluster, as its cloud calls it',
    example: 'eu-west-1',
  },
  nodePools: {
    shape: Shape.FREE,
    entries: NODE_POOL_FIELDS,
    says: 'the node pools of the cluster, by name',
    example: '{ ingest: { labels: { eks.amazonaws.com/nodegroup: ingest } } }',
  },
  namespaces: {
    shape: Shape.TEXTS,
    pattern: /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/,
    takes: 'the name of a namespace',
    says: 'the namespaces of the platform, whose objects tenants do not write',
    example: '[kube-system, edge]',
  },
  budget: {
    shape: Shape.FREE,
    within: BUDGET_FIELDS,
    says: 'what the load balancers of the set may cost and use',
    example: '{ maxMonthlyCost: { USD: 100 }, maxQuotaPercent: 80 }',
  },
  accepted: {
    shape: Shape.FREE_LIST,
    entries: ACCEPTED_FIELDS,
    says: 'findings and losses that are accepted, each with its reason',
    example: '[{ rule: annotation-unknown, object: edge/echo, reason: one pod on each node }]',
  },
};

/** A cluster, if the file has several. */
export const CLUSTER_FIELDS: ContextFields = {
  name: {
    shape: Shape.TEXT,
    required: true,
    pattern: /^\S+$/,
    takes: 'a name without spaces',
    says: 'the name of the cluster in messages and for --cluster',
    example: 'prod-eks',
  },
  ...KNOWN_FIELDS,
  sources: {
    shape: Shape.FREE_LIST,
    entries: SOURCE_FIELDS,
    atLeast: 1,
    says: 'what is applied to the cluster; what is no source of any cluster is not live',
    example: '[{ kustomize: overlays/eks-prod }, { files: [dist/prod] }]',
  },
};

/** The keys of the file. Without `clusters`, it is about one cluster, to which its folder is applied. */
export const CONTEXT_FIELDS: ContextFields = {
  ...KNOWN_FIELDS,
  clusters: {
    shape: Shape.FREE_LIST,
    entries: CLUSTER_FIELDS,
    says: 'the clusters to which the repository is applied, each with what is known of it and its sources',
    example:
      '[{ name: prod-eks, controllers: [aws-load-balancer-controller], sources: [{ kustomize: overlays/eks-prod }] }]',
  },
  exclude: {
    shape: Shape.TEXTS,
    pattern: /\S/,
    takes: 'a pattern such as **/testdata/**',
    says: 'patterns of files that are not looked for, as in .gitignore',
    example: "['**/testdata/**']",
  },
};

const CLASS: ContextField = {
  shape: Shape.TEXT,
  atLeast: 1,
  takes: 'a class',
  says: 'the class that it serves, as its flag has it',
  example: 'example.com/balancer',
};

/** Options of a controller without rules here. */
export const OTHER_CONTROLLER_FIELDS: ContextFields = {
  classes: {
    shape: Shape.TEXTS,
    pattern: /^\S+$/,
    takes: 'a class',
    says: 'the classes that it serves; without them it takes Services without a class, and one that is known by name what it takes by default',
    example: '[example.com/balancer]',
  },
};

/** Options of a controller as it is installed; what is of a single Service is in the Service. */
export const CONTROLLER_FIELDS: Readonly<Record<string, ContextFields>> = {
  [AWS_LBC_CONTROLLER]: {
    version: version('its version, which decides the annotations that it reads', '3.5.0'),
    loadBalancerClass: CLASS,
    serviceMutatorWebhook: {
      shape: Shape.BOOLEAN,
      says: 'whether its webhook gives its class to new Services that have none; where it is left out the owner of such a Service is a guess',
      example: 'false',
    },
  },
  [AWS_CLOUD_CONTROLLER]: {
    version: version('its version, which is that of Kubernetes as a rule', "'1.36'"),
    nlbSecurityGroups: {
      shape: Shape.BOOLEAN,
      says: 'whether its cloud config has NLBSecurityGroupMode = Managed',
      example: 'true',
    },
  },
  [AZURE_CONTROLLER]: {
    version: version('its version', '1.34.3'),
    sku: {
      shape: Shape.TEXT,
      values: ['standard', 'multipleStandard', 'basic'],
      says: 'which balancers the cluster has; unknown where it is left out',
      example: 'standard',
    },
  },
  [GKE_CONTROLLER]: {
    generation: {
      shape: Shape.TEXT,
      values: Object.values(GkeLoadBalancerGeneration),
      says: 'how it makes balancers',
      example: GkeLoadBalancerGeneration.CLASS,
    },
  },
  [EKS_AUTO_MODE]: {},
  [HCLOUD_CONTROLLER]: { version: version('its version', '1.35.0') },
  [METALLB_CONTROLLER]: {
    version: version('its version, which decides the annotations that it reads', '0.16.2'),
    mode: {
      shape: Shape.TEXT,
      values: ['layer2', 'bgp'],
      says: 'how it announces addresses; layer2 where it is left out',
      example: 'layer2',
    },
    loadBalancerClass: CLASS,
    namespace: {
      shape: Shape.TEXT,
      pattern: /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/,
      takes: 'the name of a namespace',
      says: 'the namespace that it runs in',
      example: METALLB_NAMESPACE,
    },
  },
};

/** The options of a controller. */
export function optionsOf(controller: string): ContextFields {
  return Object.hasOwn(CONTROLLER_FIELDS, controller) ? CONTROLLER_FIELDS[controller] : OTHER_CONTROLLER_FIELDS;
}
