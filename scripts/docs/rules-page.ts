import { LIST_FINDINGS } from '../../src/checks/list-findings';
import { REQUEST_FINDINGS } from '../../src/contract/request-findings';
import type { DescribedRule } from '../../src/contract/rule';
import { PLAN_FINDINGS } from '../../src/controllers/plan-findings';
import { BINDING_FINDINGS } from '../../src/gateway/binding-findings';
import { LISTENERS_IN_APP, ROUTES_IN_APP } from '../../src/gateway/gateway-app-rules';
import { GATEWAY_CLASS_RULES } from '../../src/gateway/gateway-class-rules';
import { GATEWAY_RULES } from '../../src/gateway/gateway-rules';
import { LISTENER_SET_RULES } from '../../src/gateway/listener-set-rules';
import { REFERENCE_GRANT_RULES } from '../../src/gateway/reference-grant-rules';
import { TARGET_GROUP_BINDING_RULES } from '../../src/gateway/target-group-binding-rules';
import { TCP_ROUTE_RULES } from '../../src/gateway/tcp-route-rules';
import { TLS_ROUTE_RULES } from '../../src/gateway/tls-route-rules';
import { ROLE_DEFINITION_RULES } from '../../src/identity/azure/azure-role-definition-rules';
import { FEDERATED_CREDENTIAL_RULES, ROLE_ASSIGNMENT_RULES } from '../../src/identity/azure/azure-rules';
import { IAM_POLICY_MEMBER_RULES } from '../../src/identity/gcp/gcp-rules';
import { IDENTITY_FINDINGS } from '../../src/identity/identity-findings';
import {
  CLOUD_CONTROLLER_IMAGE_VERSION,
  CLOUD_CONTROLLER_NEWER_THAN_FACTS,
  SERVICE_CONTROLLER_AWAY,
  SHARED_SECURITY_GROUP,
} from '../../src/installations/aws-cloud-controller-manager/installation-judge';
import { CLOUD_CONTROLLER_TWICE } from '../../src/installations/aws-cloud-controller-manager/second-installation';
import { INSTALLATION_RULES } from '../../src/installations/aws-load-balancer-controller/installation-judge';
import { SERVED_SERVICE_RULES } from '../../src/installations/aws-load-balancer-controller/served-service-rules';
import { SERVICE_CLAIM_RULES } from '../../src/installations/aws-load-balancer-controller/service-claim-rules';
import { INSTALLATION_FINDINGS } from '../../src/installations/installation-findings';
import { METALLB_KIND_RULES } from '../../src/installations/metal-lb/metal-lb-judge';
import { FLUX_STAGE_TWICE } from '../../src/installations/order-flux-judge';
import { ORDER_WAVES } from '../../src/installations/order-wave-direction';
import { ORDER_OWNER_REFERENCES, ORDER_TOPICS } from '../../src/installations/order-wave-judge';
import { APP_RULES } from '../../src/installations/strimzi/app-rules';
import { OPERATOR_RULES } from '../../src/installations/strimzi/operator-rules';
import { KAFKA_SHARES_NAMESPACE, KAFKA_TWICE } from '../../src/kafka/cluster/cluster-neighbours';
import { DOCUMENT_RULES } from '../../src/kafka/document/document-rules';
import { KAFKA_TOPIC_RULES } from '../../src/kafka/entities/topic-rules';
import { KAFKA_USER_RULES } from '../../src/kafka/entities/user-rules';
import { LISTENER_FINDINGS } from '../../src/kafka/listener/listener-findings';
import { LISTENER_RULES } from '../../src/kafka/listener/listener-rules';
import { LISTENER_WAITS_LONG } from '../../src/kafka/listener/listener-waiting';
import { NODE_POOL_CHANGED } from '../../src/kafka/nodes/changed-pools';
import { CLUSTER_RULES } from '../../src/kafka/nodes/cluster-rules';
import { NODE_POOL_RULES } from '../../src/kafka/nodes/node-pool-rules';
import { NODE_POOL_PATCHED } from '../../src/kafka/nodes/node-pool-said';
import { STRIMZI_KUBERNETES } from '../../src/kafka/strimzi/kubernetes-floor';
import { APP_FINDINGS } from '../../src/rules/app-findings';
import type { ControllerDefinition } from '../../src/rules/controller-definition';
import { OWNERSHIP_RULES } from '../../src/rules/ownership-rules';
import { SERVICE_RULES } from '../../src/rules/service-rules';
import { ENDPOINT_RULES, WORKLOAD_RULES } from '../../src/rules/workload-rules';
import { SERVICE_FINDINGS } from '../../src/services/service-findings';
import { NLB_CONTROLLER_RULES } from '../../src/tenancy/engines/aws-network-load-balancer/controllers';
import * as NLB_RULES from '../../src/tenancy/engines/aws-network-load-balancer/rules';
import * as ENGINE_RULES from '../../src/tenancy/engines/contract/engine';
import * as ENVOY_RULES from '../../src/tenancy/engines/envoy-gateway/rules';
import * as EXISTING_GATEWAY_RULES from '../../src/tenancy/engines/existing-gateway/engine';
import * as HAPROXY_RULES from '../../src/tenancy/engines/haproxy/rules';
import * as GUARD_RULES from '../../src/tenancy/guard/rules';
import { TENANT_ROLE_RULES } from '../../src/tenancy/guard/tenant-rights';
import * as TENANT_MANIFESTS_RULES from '../../src/tenancy/manifests/rules';
import * as PORT_RULES from '../../src/tenancy/ports/rules';
import * as RUN_TIME_RULES from '../../src/tenancy/runtime/rules';
import * as TENANCY_RULES from '../../src/tenancy/shared/rules';
import { code, page, source, table } from './markdown';

/** Every rule that finished manifests are judged by. */
export function rulesPage(kinds: readonly ControllerDefinition[]): string {
  return page(
    '# Rules',
    'Rules read finished manifests, whoever wrote them. An error stops the synth; a warning is told once and can be [acknowledged](../how-to/deal-with-warnings.md) by the name of its rule.',
    ...section('Services', SERVICE_RULES),
    ...section('Services and their owners', OWNERSHIP_RULES),
    ...section('Wishes, controllers and plans', [...REQUEST_FINDINGS, ...PLAN_FINDINGS, ...SERVICE_FINDINGS]),
    ...section('Apps', APP_FINDINGS),
    ...section('The command `list`', LIST_FINDINGS),
    ...section('Workloads', WORKLOAD_RULES),
    ...section('Services and their workloads', ENDPOINT_RULES),
    ...kinds.flatMap((kind) => section(kind.name, kind.rules)),
    ...section('Kafka resources', [...DOCUMENT_RULES, KAFKA_TWICE, KAFKA_SHARES_NAMESPACE]),
    ...section('Kafka listeners', [...LISTENER_RULES, ...LISTENER_FINDINGS, LISTENER_WAITS_LONG]),
    ...section('Kafka resources and their node pools', CLUSTER_RULES),
    ...section('KafkaNodePools', [...NODE_POOL_RULES, NODE_POOL_CHANGED, NODE_POOL_PATCHED]),
    ...section('KafkaTopics', KAFKA_TOPIC_RULES),
    ...section('KafkaUsers', KAFKA_USER_RULES),
    ...section('GatewayClasses', errors(GATEWAY_CLASS_RULES)),
    ...section('Gateways and ListenerSets', errors([...new Set([...GATEWAY_RULES, ...LISTENER_SET_RULES])])),
    ...section('Listeners of one app at one Gateway', errors(LISTENERS_IN_APP)),
    ...section('TCPRoutes', errors(TCP_ROUTE_RULES)),
    ...section('TLSRoutes', errors(TLS_ROUTE_RULES)),
    ...section('Routes of one app and the listeners that they attach to', errors(ROUTES_IN_APP)),
    ...section('ReferenceGrants', errors(REFERENCE_GRANT_RULES)),
    ...section('TargetGroupBindings', [...errors(TARGET_GROUP_BINDING_RULES), ...BINDING_FINDINGS]),
    ...section('All installations', [
      ...INSTALLATION_FINDINGS,
      ORDER_OWNER_REFERENCES,
      ORDER_TOPICS,
      ORDER_WAVES,
      FLUX_STAGE_TWICE,
    ]),
    ...section('Installations of the AWS Load Balancer Controller', [
      ...INSTALLATION_RULES,
      ...SERVED_SERVICE_RULES,
      ...SERVICE_CLAIM_RULES,
    ]),
    ...section('Installations of the AWS cloud controller manager', [
      SHARED_SECURITY_GROUP,
      SERVICE_CONTROLLER_AWAY,
      CLOUD_CONTROLLER_TWICE,
      CLOUD_CONTROLLER_IMAGE_VERSION,
      CLOUD_CONTROLLER_NEWER_THAN_FACTS,
    ]),
    ...section('Installations of the Strimzi operator', [...OPERATOR_RULES, ...APP_RULES, STRIMZI_KUBERNETES]),
    ...section('Configuration of MetalLB', METALLB_KIND_RULES),
    ...section(
      'Azure Service Operator',
      errors([...ROLE_DEFINITION_RULES, ...ROLE_ASSIGNMENT_RULES, ...FEDERATED_CREDENTIAL_RULES]),
    ),
    ...section('Identities', IDENTITY_FINDINGS),
    ...section('Config Connector', errors(IAM_POLICY_MEMBER_RULES)),
    ...section('Shared load balancers and their tenants', rulesIn(TENANCY_RULES)),
    ...section('Ports of shared load balancers', rulesIn(PORT_RULES)),
    ...section('Engines of shared load balancers', [
      ...rulesIn(ENGINE_RULES, NLB_RULES, ENVOY_RULES, EXISTING_GATEWAY_RULES, HAPROXY_RULES),
      ...NLB_CONTROLLER_RULES,
    ]),
    ...section('Manifests of tenants', rulesIn(TENANT_MANIFESTS_RULES)),
    ...section('Shared Services at run time', rulesIn(RUN_TIME_RULES)),
    ...section('Quotas, policies and permissions of tenants', [...rulesIn(GUARD_RULES), ...TENANT_ROLE_RULES]),
  );
}

/** The rules that modules export, in alphabetical order. */
function rulesIn(...modules: readonly object[]): DescribedRule[] {
  return modules
    .flatMap((module) => Object.values(module))
    .filter((value): value is DescribedRule => typeof value === 'object' && 'says' in value && 'severity' in value)
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** Rules of rooms that know nothing but errors. */
function errors(rules: readonly Omit<DescribedRule, 'severity'>[]): DescribedRule[] {
  return rules.map(({ id, says, source }) => ({ id, severity: 'error', says, source }));
}

function section(title: string, rules: readonly DescribedRule[]): string[] {
  const rows = rules.map((rule) => [code(rule.id), rule.severity, rule.says, sourceOf(rule)]);
  return [
    `## ${title}`,
    rows.length > 0 ? table(['rule', 'severity', 'what must hold', 'source'], rows) : 'It has no rules of its own.',
  ];
}

function sourceOf({ source: read }: DescribedRule): string {
  return read === 'ours' ? 'ours' : read ? source(read) : '–';
}
