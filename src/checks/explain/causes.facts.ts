import type { Citation } from '../../contract/kubernetes.facts';
import { AWS_CLOUD_CONTROLLER, AWS_CLOUD_SOURCE } from '../../controllers/aws-cloud-provider/annotations';
import { AWS_LBC as ANNOTATIONS, AWS_LBC_CONTROLLER } from '../../controllers/aws-load-balancer-controller/annotations';
import { lbcFile } from '../../controllers/aws-load-balancer-controller/facts';
import { AZURE_CONTROLLER } from '../../controllers/azure-cloud-provider/annotations';
import { EKS_AUTO_MODE } from '../../controllers/eks-auto-mode/annotations';
import { GKE_CONTROLLER } from '../../controllers/gke/annotations';
import { gkeFile } from '../../controllers/gke/facts';
import { HCLOUD_CONTROLLER, HCLOUD_SOURCE } from '../../controllers/hetzner-cloud/annotations';
import { METALLB_CONTROLLER, METALLB_SOURCE } from '../../controllers/metal-lb/annotations';

// Why a Service has no address, and why it does not go: the pages docs/stuck-in-pending.md and docs/stuck-in-terminating.md and
// the command that explains a Service say the same, since they are made of these tables. Commands name the Service by the
// variables NAMESPACE and SERVICE; words in capitals that stand alone are for the reader to fill in.

/**
 * The one annotation that the AWS Load Balancer Controller reads of a Service that is deleted
 * (kubernetes-sigs/aws-load-balancer-controller v3.5.0, pkg/service/model_builder.go, getDeletionProtectionViaAnnotation).
 */
export const READ_FOR_DELETION: string = ANNOTATIONS.loadBalancerAttributes.key();

export interface Sign {
  /** The reason of the event, or of the condition; any where it is left out. */
  readonly reason?: RegExp;
  readonly message?: RegExp;
  readonly source: Citation;
}

/** A command that tells a cause from the others. */
export interface Check {
  readonly command: string;
  readonly shows: string;
  /** The controllers where it makes sense; anywhere where it is left out. */
  readonly of?: readonly string[];
}

export interface Cause {
  readonly id: string;
  readonly title: string;
  readonly what: string;
  readonly checks: readonly Check[];
  readonly remedy: string;
  readonly signs: readonly Sign[];
  /** Signs that fit several causes: they count where no other cause has a sign in the same message. */
  readonly generalSigns?: readonly Sign[];
  /** The controllers whose Services it can hit; any where it is left out. */
  readonly of?: readonly string[];
  /** The controllers that have not added their finalizer yet where it strikes. */
  readonly beforeFinalizerOf?: readonly string[];
}

/** The controller that opens ports of Services on nodes. */
export const SERVICE_LB = 'ServiceLB of k3s';

const AWS = [AWS_LBC_CONTROLLER, EKS_AUTO_MODE, AWS_CLOUD_CONTROLLER];
const CLOUDS = [...AWS, AZURE_CONTROLLER, GKE_CONTROLLER, HCLOUD_CONTROLLER];
/** Those whose finalizer is that of the service controller, which adds it before it asks the cloud. */
const SERVICE_CONTROLLERS = [AWS_CLOUD_CONTROLLER, AZURE_CONTROLLER, HCLOUD_CONTROLLER];

const LBC_EVENTS = lbcFile('controllers/service/service_controller.go');
const LBC_SUBNETS = lbcFile('pkg/networking/subnet_resolver.go');
const STATUS_OF_TYPE: Citation = {
  repository: 'kubernetes/kubernetes',
  version: 'v1.36.3',
  file: 'pkg/apis/core/validation/validation.go',
};
const METALLB_POOLS: Citation = { ...METALLB_SOURCE, file: 'internal/allocator/allocator.go' };
const WEBHOOK: Citation = { repository: 'kubernetes/apiserver', version: 'v0.36.3', file: 'pkg/util/webhook/error.go' };
const WEBHOOK_DENIES: Citation = {
  repository: 'kubernetes/apiserver',
  version: 'v0.36.3',
  file: 'pkg/admission/plugin/webhook/errors/statuserror.go',
};
const QUOTA: Citation = {
  repository: 'kubernetes/apiserver',
  version: 'v0.36.3',
  file: 'pkg/admission/plugin/resourcequota/controller.go',
};
const POLICY: Citation = {
  repository: 'kubernetes/apiserver',
  version: 'v0.36.3',
  file: 'pkg/admission/plugin/policy/validating/dispatcher.go',
};
const CONDITIONS: Citation = { repository: 'kubernetes/api', version: 'v0.36.3', file: 'core/v1/types.go' };
const AWS_ERRORS: Citation = {
  repository: 'AWS Elastic Load Balancing API Reference',
  version: '2012-06-01 and 2015-12-01',
  file: 'CommonErrors.html, API_CreateLoadBalancer.html',
};
const EC2_ERRORS: Citation = {
  repository: 'Amazon EC2 Developer Guide',
  version: '2026',
  file: 'errors-overview.html',
};
const AZURE_ERRORS: Citation = {
  repository: 'Azure Resource Manager documentation',
  version: '2026',
  file: 'troubleshooting/common-deployment-errors',
};
/** Its errors end with their code in brackets. */
const HCLOUD_ERRORS: Citation = {
  repository: 'hetznercloud/hcloud-go',
  version: '0a533095',
  file: 'hcloud/error.go',
};
const GOOGLE_ERRORS: Citation = {
  repository: 'Compute Engine documentation',
  version: '2026',
  file: 'troubleshooting/troubleshooting-resource-utilization',
};

const EVENTS: Check = {
  command:
    'kubectl get events -n "$NAMESPACE" --field-selector "involvedObject.kind=Service,involvedObject.name=$SERVICE" -o custom-columns=LAST:.lastTimestamp,REASON:.reason,MESSAGE:.message',
  shows: 'what the controller says of this Service; events live for an hour',
};
const RUNNING: Check = {
  command: 'kubectl get deployments,daemonsets --all-namespaces -o wide',
  shows: 'whether the controller runs, with its image; those of EKS, AKS and GKE are not listed',
};
const LEASES: Check = {
  command:
    'kubectl get leases --all-namespaces -o custom-columns=NAMESPACE:.metadata.namespace,NAME:.metadata.name,HOLDER:.spec.holderIdentity,RENEWED:.spec.renewTime',
  shows: 'a lease of the controller that is older than a minute has no holder: no pod of it is active',
};
/**
 * Its lines are JSON: what it writes itself names namespace/name, and errors of a pass have both apart
 * (kubernetes-sigs/controller-runtime v0.24.1, pkg/builder/controller.go).
 */
const LBC_LOG: Check = {
  command:
    'kubectl logs -l app.kubernetes.io/name=aws-load-balancer-controller -n kube-system --since=1h --tail=-1 | grep -E "$NAMESPACE/$SERVICE|\\"namespace\\":\\"$NAMESPACE\\",\\"name\\":\\"$SERVICE\\""',
  shows: 'the same with every detail, longer than events live',
  of: [AWS_LBC_CONTROLLER],
};
const OWNED_BY: Check = {
  command:
    'kubectl get service "$SERVICE" -n "$NAMESPACE" -o jsonpath=\'finalizers {.metadata.finalizers}{"\\n"}class      {.spec.loadBalancerClass}{"\\n"}address    {.status.loadBalancer.ingress}{"\\n"}uid        {.metadata.uid}{"\\n"}\'',
  shows: 'a finalizer is the mark of the controller that has taken the Service',
};
const WEBHOOKS: Check = {
  command:
    'kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations -o custom-columns=KIND:.kind,NAME:.metadata.name,SERVICE:.webhooks[0].clientConfig.service.name,POLICY:.webhooks[*].failurePolicy',
  shows: 'a configuration with policy Fail whose Service has no pods refuses every write',
};
const POLICIES: Check = {
  command: 'kubectl get validatingadmissionpolicies,validatingadmissionpolicybindings',
  shows: 'the policies of the cluster; the message of one names it',
};

const SIGNS_OF_PERMISSIONS: readonly Sign[] = [
  {
    message:
      /AccessDenied|UnauthorizedOperation|is not authorized to perform|WebIdentityErr|InvalidIdentityToken|ExpiredToken|AuthFailure|NoCredentialProviders|no EC2 IMDS role found|get credentials/,
    source: AWS_ERRORS,
  },
  { message: /AuthorizationFailed|does not have authorization to perform action|AADSTS\d+/, source: AZURE_ERRORS },
  {
    message: /Required '[\w.]+' permission|googleapi: Error 403: (?!.*[Qq]uota)|insufficientPermissions/,
    source: GOOGLE_ERRORS,
  },
  { message: /\((unauthorized|forbidden|token_readonly)\b/, source: HCLOUD_ERRORS },
];
const SIGNS_OF_THROTTLING: readonly Sign[] = [
  { message: /RequestLimitExceeded|Throttling|ThrottlingException|TooManyRequests|rate exceeded/i, source: EC2_ERRORS },
  { message: /rateLimitExceeded|Error 429/, source: GOOGLE_ERRORS },
  { message: /StatusCode=429|TooManyRequestsReceived/, source: AZURE_ERRORS },
  { message: /\(rate_limit_exceeded\b/, source: HCLOUD_ERRORS },
];
const SIGNS_OF_WEBHOOKS: readonly Sign[] = [{ message: /failed calling webhook/, source: WEBHOOK }];
const SIGNS_OF_DENIAL: readonly Sign[] = [
  { message: /exceeded quota: /, source: QUOTA },
  { message: /denied request|denied by ValidatingAdmissionPolicy/, source: POLICY },
  { message: /admission webhook ".*" denied the request/, source: WEBHOOK_DENIES },
  { message: /RequestDisallowedByPolicy/, source: AZURE_ERRORS },
  { message: /Constraint constraints\/[\w.]+ violated/, source: GOOGLE_ERRORS },
  { message: /explicit deny in a service control policy/, source: AWS_ERRORS },
];

/** Why a Service of type LoadBalancer has no address, the likeliest first where nothing else is known. */
export const PENDING_CAUSES: readonly Cause[] = [
  {
    id: 'class-typo',
    title: 'The class is misspelt',
    what: 'A class that no controller serves is accepted by the API server, and no controller reports anything: there is neither an event nor a finalizer.',
    checks: [
      {
        command: 'kubectl get service "$SERVICE" -n "$NAMESPACE" -o jsonpath=\'{.spec.loadBalancerClass}{"\\n"}\'',
        shows: 'the class as it is; compare it letter by letter with the one that the controller serves',
      },
      {
        command:
          'kubectl get services --all-namespaces -o "custom-columns=NAMESPACE:.metadata.namespace,NAME:.metadata.name,CLASS:.spec.loadBalancerClass,ADDRESS:.status.loadBalancer.ingress[*]"',
        shows: 'the class of Services that have an address',
      },
    ],
    remedy:
      'delete the Service and create it with the class of a controller that runs here: a class cannot be changed on a live Service',
    signs: [],
  },
  {
    id: 'no-controller',
    title: 'No controller takes it',
    what: 'No controller of this cluster serves such Services, or the one that does is not running: nothing happens, and nothing is reported.',
    checks: [OWNED_BY, RUNNING, LEASES],
    remedy:
      'start or install the controller that is meant, or, since no balancer is lost, set the class or the annotations of one that runs',
    signs: [],
    beforeFinalizerOf: [AWS_LBC_CONTROLLER, ...SERVICE_CONTROLLERS],
  },
  {
    id: 'manifest-refused',
    title: 'Its controller refuses the manifest',
    what: 'An annotation or a field has a value that the controller cannot use. It says so in an event, tries again for ever, and makes nothing.',
    checks: [EVENTS, LBC_LOG],
    remedy: 'correct the annotation or field that the event names; the controller tries again at once',
    signs: [
      {
        message: /neither load-balancer\.hetzner\.cloud\/location nor load-balancer\.hetzner\.cloud\/network-zone set/,
        source: HCLOUD_SOURCE,
      },
      { reason: /^LoadBalancerFailed$/, message: /invalid requested loadbalancer IPs/, source: METALLB_SOURCE },
      { reason: /^LoadBalancerMixedProtocolNotSupported$/, source: CONDITIONS },
      { message: /mixed protocol is not supported for LoadBalancer/, source: AWS_CLOUD_SOURCE },
      { reason: /^ConflictingConfiguration$/, source: gkeFile('pkg/l4/controllers/l4netlbcontroller.go') },
    ],
    generalSigns: [{ reason: /^FailedBuildModel$/, source: LBC_EVENTS }],
    beforeFinalizerOf: [AWS_LBC_CONTROLLER],
  },
  {
    id: 'permissions',
    title: 'Its controller may not do it in the cloud (IAM)',
    what: 'The role of the controller lacks a permission, or cannot be taken: its trust policy, OIDC provider or association is gone.',
    checks: [
      EVENTS,
      LBC_LOG,
      {
        command:
          "kubectl get serviceaccount aws-load-balancer-controller -n kube-system -o jsonpath='{.metadata.annotations.eks\\.amazonaws\\.com/role-arn}'",
        shows: 'the role that the controller takes by its service account; empty with Pod Identity',
        of: [AWS_LBC_CONTROLLER],
      },
      {
        command: 'aws eks list-pod-identity-associations --cluster-name CLUSTER --namespace kube-system',
        shows: 'the role that the controller gets by Pod Identity',
        of: [AWS_LBC_CONTROLLER],
      },
      {
        command: 'aws iam list-attached-role-policies --role-name ROLE',
        shows: 'the policies that the role has',
        of: AWS,
      },
      {
        command: 'az role assignment list --assignee PRINCIPAL --all --output table',
        shows:
          'what the identity of the cluster may do; an own subnet or resource group needs an assignment of its own',
        of: [AZURE_CONTROLLER],
      },
      {
        command:
          'gcloud projects get-iam-policy PROJECT --flatten="bindings[].members" --filter="bindings.members:container-engine-robot" --format="table(bindings.role)"',
        shows: 'the roles of the service agent of GKE',
        of: [GKE_CONTROLLER],
      },
    ],
    remedy: 'give the role back what it lacks (docs/how-to/cloud-permissions.md); the controller tries again by itself',
    signs: SIGNS_OF_PERMISSIONS,
    of: CLOUDS,
  },
  {
    id: 'subnets',
    title: 'No subnet fits',
    what: 'The controller finds no subnet for the balancer: none is tagged for its scheme, or each has too few free addresses, is tagged for another cluster, or does not exist.',
    checks: [
      EVENTS,
      {
        command:
          'aws ec2 describe-subnets --filters "Name=vpc-id,Values=VPC" --query "Subnets[].[SubnetId,AvailabilityZone,AvailableIpAddressCount,Tags[?starts_with(Key,\'kubernetes.io/\')].[Key,Value]]" --output json',
        shows:
          'tag kubernetes.io/role/elb for internet-facing, kubernetes.io/role/internal-elb for internal balancers, and 8 free addresses in each subnet',
        of: AWS,
      },
      {
        command: 'az network vnet subnet list --resource-group GROUP --vnet-name VNET --output table',
        shows: 'the subnets that an annotation can name, with their prefixes',
        of: [AZURE_CONTROLLER],
      },
      {
        command:
          'gcloud compute networks subnets list --network=NETWORK --format="table(name,region,ipCidrRange,purpose)"',
        shows: 'the subnets that an annotation can name',
        of: [GKE_CONTROLLER],
      },
    ],
    remedy:
      'tag subnets for the scheme of the Service, free addresses in them, or name subnets in the annotation of its controller',
    signs: [
      {
        message:
          /unable to resolve at least one subnet|couldn't auto-discover subnets|do not have an associated IPv6 CIDR block/,
        source: LBC_SUBNETS,
      },
      { message: /could not find any suitable subnets for creating the ELB/, source: AWS_CLOUD_SOURCE },
      {
        message: /InvalidSubnet|SubnetNotFound|InsufficientFreeAddressesInSubnet|NotEnoughIPAddresses/,
        source: AWS_ERRORS,
      },
      { message: /SubnetIsFull|PrivateIPAddressNotInSubnet/, source: AZURE_ERRORS },
      { message: /IP_SPACE_EXHAUSTED/, source: GOOGLE_ERRORS },
      { message: /\(no_subnet_available\b/, source: HCLOUD_ERRORS },
    ],
    of: CLOUDS,
    beforeFinalizerOf: [AWS_LBC_CONTROLLER],
  },
  {
    id: 'account-quota',
    title: 'A quota of the cloud account is used up',
    what: 'The account, subscription or project has as many balancers, addresses, rules or targets as it may have.',
    checks: [
      EVENTS,
      {
        command: 'aws elbv2 describe-account-limits --output table',
        shows: 'how many balancers, target groups and listeners the account may have in the region',
        of: AWS,
      },
      {
        command: 'aws elbv2 describe-load-balancers --query "length(LoadBalancers[?Type==\'network\'])"',
        shows: 'how many Network Load Balancers it has',
        of: AWS,
      },
      {
        command: 'az network list-usages --location REGION --output table',
        shows: 'public addresses and balancers, in use and allowed',
        of: [AZURE_CONTROLLER],
      },
      {
        command:
          'gcloud compute regions describe REGION --flatten="quotas[]" --format="table(quotas.metric,quotas.usage,quotas.limit)"',
        shows: 'usage and limit of IN_USE_ADDRESSES, STATIC_ADDRESSES and the like',
        of: [GKE_CONTROLLER],
      },
      {
        command: 'hcloud load-balancer list',
        shows: 'the balancers of the project; its limits are in the console only',
        of: [HCLOUD_CONTROLLER],
      },
    ],
    remedy: 'raise the quota, delete balancers that no Service owns any more, or share one balancer',
    signs: [
      {
        message:
          /TooMany(LoadBalancers|TargetGroups|Targets|Listeners|Rules|Tags|UniqueTargetGroups)\w*|(?<!Request|[rR]ate)LimitExceeded/,
        source: AWS_ERRORS,
      },
      {
        message: /(Address|RulesPerSecurityGroup|SecurityGroupsPer\w+|SecurityGroup)LimitExceeded/,
        source: EC2_ERRORS,
      },
      { message: /CountLimitReached|QuotaExceeded\b/, source: AZURE_ERRORS },
      { message: /Quota '\w+' exceeded|quotaExceeded/, source: GOOGLE_ERRORS },
      { message: /\(resource_limit_exceeded\b/, source: HCLOUD_ERRORS },
    ],
    of: CLOUDS,
  },
  {
    id: 'address-pool',
    title: 'The address pool is empty',
    what: 'The pools that the Service may use have no free address, do not have the one that it asks for, or are closed to its namespace.',
    checks: [
      EVENTS,
      {
        command:
          'kubectl get ipaddresspools.metallb.io --all-namespaces -o custom-columns=NAME:.metadata.name,ADDRESSES:.spec.addresses,AUTO:.spec.autoAssign,FOR:.spec.serviceAllocation,FREE4:.status.availableIPv4,FREE6:.status.availableIPv6',
        shows: 'free addresses, and which pools are not for every Service',
        of: [METALLB_CONTROLLER],
      },
      {
        command: 'kubectl logs deployment/controller -n metallb-system --since=1h | grep "$NAMESPACE/$SERVICE"',
        shows: 'why no pool fits; the chart calls the Deployment metallb-controller',
        of: [METALLB_CONTROLLER],
      },
    ],
    remedy: 'add addresses to a pool, free some, or name a pool that is open to this namespace',
    signs: [
      { reason: /^AllocationFailed$/, source: METALLB_SOURCE },
      {
        message: /no available IPs|no suitable pool for|unknown pool "|is not allowed in config/,
        source: METALLB_POOLS,
      },
    ],
    of: [METALLB_CONTROLLER],
  },
  {
    id: 'webhook',
    title: 'A webhook is in the way',
    what: 'A webhook whose pods are gone refuses the writes of the controller: the finalizer, the status, or objects that it needs.',
    checks: [EVENTS, WEBHOOKS],
    remedy: 'start the pods of the webhook; where they never come back, delete its configuration',
    signs: SIGNS_OF_WEBHOOKS,
  },
  {
    id: 'denied',
    title: 'A quota or policy denies it',
    what: 'A ResourceQuota or an admission policy of the cluster, or a policy of the cloud, refuses the Service, or what its controller writes. A Service that the API server refuses does not exist at all: its author sees why, and an operator has it in its status.',
    checks: [
      {
        command:
          'kubectl get resourcequotas -n "$NAMESPACE" -o custom-columns=NAME:.metadata.name,USED:.status.used,HARD:.status.hard',
        shows: 'services.loadbalancers and services.nodeports, used and allowed',
      },
      POLICIES,
      {
        command:
          'kubectl auth can-i update services --subresource=status -n "$NAMESPACE" --as=system:serviceaccount:kube-system:aws-load-balancer-controller',
        shows: 'no means that the controller may not write the address',
        of: [AWS_LBC_CONTROLLER],
      },
    ],
    remedy: 'raise the quota, or exempt the account of the controller from the policy (docs/how-to/guard-tenants.md)',
    signs: SIGNS_OF_DENIAL,
  },
  {
    id: 'throttled',
    title: 'The cloud throttles',
    what: 'So many calls reach the interface of the cloud that it answers some with an error.',
    checks: [EVENTS],
    remedy: 'wait: the controller backs off and tries again; fewer controllers and Services at a time help',
    signs: SIGNS_OF_THROTTLING,
    of: CLOUDS,
  },
  {
    id: 'status-refused',
    title: 'The API server refuses its address',
    what: 'The balancer is there, and is billed: its controller made it, and cannot write its address into the status of the Service, as with a type other than LoadBalancer.',
    checks: [EVENTS, LBC_LOG],
    remedy: 'set type LoadBalancer, or delete the Service so that its controller deletes the balancer',
    signs: [{ message: /may only be used when .?spec\.type/, source: STATUS_OF_TYPE }],
    generalSigns: [{ reason: /^FailedUpdateStatus$/, source: LBC_EVENTS }],
    of: [AWS_LBC_CONTROLLER],
  },
  {
    id: 'host-port',
    title: 'Another Service has its port on the nodes',
    what: 'ServiceLB of k3s opens each port of a Service on the nodes themselves, where a number is free for one Service alone: the pods of the next one find no node.',
    checks: [
      {
        command:
          'kubectl get pods --all-namespaces -l "svccontroller.k3s.cattle.io/svcname=$SERVICE,svccontroller.k3s.cattle.io/svcnamespace=$NAMESPACE" -o wide',
        shows: 'a pod in Pending whose event says that no node has free ports for it',
      },
      {
        command:
          'kubectl get services --all-namespaces -o "custom-columns=NAMESPACE:.metadata.namespace,NAME:.metadata.name,TYPE:.spec.type,PORTS:.spec.ports[*].port,ADDRESS:.status.loadBalancer.ingress[*]"',
        shows: 'the Services of type LoadBalancer with their ports',
      },
    ],
    remedy:
      'use another port, take it from the other Service, or give each of them its own nodes by the label svccontroller.k3s.cattle.io/lbpool',
    signs: [],
    of: [SERVICE_LB],
  },
];

/** Why a Service that was deleted is still there, the likeliest first where nothing else is known. */
export const TERMINATING_CAUSES: readonly Cause[] = [
  {
    id: 'owner-away',
    title: 'The controller that removes the finalizer does not run',
    what: 'It was uninstalled before its Services, has no pod that is active, or backs off after a failure for up to a quarter of an hour.',
    checks: [OWNED_BY, RUNNING, LEASES],
    remedy:
      'start it with the cluster name, class and permissions that it had, restart it, and wait ten minutes (step 4)',
    signs: [],
  },
  {
    id: 'foreign-finalizer',
    title: 'The finalizer belongs to a controller that does not own the Service',
    what: 'That controller may not even run in this cluster: the balancer is gone or was never its own, and no controller removes the finalizer.',
    checks: [OWNED_BY, RUNNING],
    remedy: 'see in the cloud that no balancer is left, then take this one finalizer off (steps 6 and 7)',
    signs: [],
  },
  {
    id: 'foreground',
    title: 'It waits for objects that belong to it',
    what: 'The Service was deleted in the foreground: it waits for the objects with an owner reference to it.',
    checks: [OWNED_BY],
    remedy: 'find those objects and what holds them; the finalizer goes with the last of them (step 2)',
    signs: [],
  },
  {
    id: 'permissions',
    title: 'Its controller may no longer delete in the cloud (IAM)',
    what: 'The role lost a permission, or was deleted before the Services.',
    checks: [EVENTS, LBC_LOG],
    remedy: 'give the role back (docs/how-to/cloud-permissions.md), and restart the controller (steps 3 and 4)',
    signs: SIGNS_OF_PERMISSIONS,
    of: CLOUDS,
  },
  {
    id: 'deletion-protection',
    title: 'An annotation protects the balancer against deletion',
    what: 'The annotation for attributes has deletion_protection.enabled=true. It alone decides: what is switched on or off in the cloud changes nothing.',
    checks: [EVENTS, LBC_LOG],
    remedy:
      'annotate the Service with deletion_protection.enabled=false: switching it off in AWS does not help (step 3)',
    signs: [{ message: /deletion_protection is enabled/, source: lbcFile('pkg/service/model_builder.go') }],
    of: [AWS_LBC_CONTROLLER, EKS_AUTO_MODE],
  },
  {
    id: 'protected-in-aws',
    title: 'The balancer is protected against deletion in AWS',
    what: 'Deletion protection was switched on in AWS. The AWS Load Balancer Controller switches that off by itself, where its role lets it; the cloud controller does not.',
    checks: [EVENTS, LBC_LOG],
    remedy:
      'switch it off in AWS, or give the AWS Load Balancer Controller elasticloadbalancing:ModifyLoadBalancerAttributes (step 3)',
    // kubernetes-sigs/aws-load-balancer-controller v3.5.0, pkg/deploy/elbv2/load_balancer_synthesizer.go, knows it by the same
    signs: [{ message: /OperationNotPermitted/, source: AWS_ERRORS }],
    of: AWS,
  },
  {
    id: 'resource-lock',
    title: 'A resource lock of Azure keeps the balancer',
    what: 'A lock on the resource, its resource group or the subscription forbids deletion; no annotation has to do with it.',
    checks: [
      EVENTS,
      {
        command: 'az lock list --resource-group GROUP --output table',
        shows: 'the locks of the resource group of the nodes, and of what is in it',
        of: [AZURE_CONTROLLER],
      },
    ],
    remedy: 'delete the lock that the event names, with az lock delete (step 3)',
    signs: [{ message: /ScopeLocked|CanNotDelete/, source: AZURE_ERRORS }],
    of: [AZURE_CONTROLLER],
  },
  {
    id: 'dependency',
    title: 'Something else uses what belongs to the balancer',
    what: 'A security group, address or target group is still used, often by a network interface that is detaching, or a rule of another group.',
    checks: [EVENTS, LBC_LOG],
    remedy: 'remove that use; detaching takes minutes (step 3)',
    signs: [
      { message: /DependencyViolation|ResourceInUse\b/, source: EC2_ERRORS },
      {
        message: /InUseSubnetCannotBeDeleted|InUseNetworkSecurityGroup\w*|PublicIPAddressInUse|InUse\w*CannotBeDeleted/,
        source: AZURE_ERRORS,
      },
      { message: /resourceInUseByAnotherResource/, source: GOOGLE_ERRORS },
    ],
    of: CLOUDS,
  },
  {
    id: 'manifest-refused',
    title: 'The annotation for attributes cannot be read, also for deletion',
    what: 'Before the balancer is deleted its controller looks there for deletion protection. It reads no other annotation then.',
    checks: [EVENTS, LBC_LOG],
    remedy:
      'correct aws-load-balancer-attributes, or take it out: the API server still takes changes of annotations (step 3)',
    signs: [],
    generalSigns: [{ reason: /^FailedBuildModel$/, source: LBC_EVENTS }],
    of: [AWS_LBC_CONTROLLER],
  },
  {
    id: 'webhook',
    title: 'A webhook is in the way',
    what: 'A webhook whose pods are gone refuses the removal of the finalizer, or of objects that belong to the balancer.',
    checks: [WEBHOOKS],
    remedy: 'start its pods, or delete its configuration where they never come back (step 5)',
    signs: SIGNS_OF_WEBHOOKS,
  },
  {
    id: 'denied',
    title: 'A policy refuses the controller',
    what: 'An admission policy of the cluster refuses that finalizers are taken off or status is written.',
    checks: [EVENTS, POLICIES],
    remedy: 'exempt the account of the controller (step 3, and docs/how-to/guard-tenants.md)',
    signs: SIGNS_OF_DENIAL,
  },
  {
    id: 'infrastructure-gone',
    title: 'The infrastructure was destroyed first',
    what: 'The cluster, the network or the resource group that the controller works in is gone, so it cannot even look.',
    checks: [EVENTS],
    remedy: 'see what is left in the cloud, delete that, then take the finalizer off (steps 6 and 7)',
    signs: [
      { message: /InvalidVpcID\.NotFound|VpcNotFound|ResourceNotFound|No cluster found/, source: EC2_ERRORS },
      { message: /ResourceGroupNotFound|ParentResourceNotFound/, source: AZURE_ERRORS },
    ],
    of: CLOUDS,
  },
  {
    id: 'throttled',
    title: 'The cloud throttles',
    what: 'So many calls reach the interface of the cloud that it answers some with an error.',
    checks: [EVENTS],
    remedy: 'wait (step 3)',
    signs: SIGNS_OF_THROTTLING,
    of: CLOUDS,
  },
];

/** Events after which those before them are history, by their reasons. */
export const SUCCESSES: ReadonlySet<string> = new Set([
  // kubernetes-sigs/aws-load-balancer-controller v3.5.0, pkg/k8s/events.go
  'SuccessfullyReconciled',
  // kubernetes/cloud-provider v0.36.3, controllers/service/controller.go
  'EnsuredLoadBalancer',
  // kubernetes/ingress-gce acbcf5d6, pkg/l4/controllers/l4controller.go
  'SyncLoadBalancerSuccessful',
  // metallb/metallb v0.16.2, controller/service.go
  'IPAllocated',
]);
