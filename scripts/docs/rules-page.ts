import { GATEWAY_CLASS_RULES } from '../../src/gateway/gateway-class-rules';
import { GATEWAY_RULES } from '../../src/gateway/gateway-rules';
import { TARGET_GROUP_BINDING_RULES } from '../../src/gateway/target-group-binding-rules';
import { TLS_ROUTE_RULES } from '../../src/gateway/tls-route-rules';
import { FEDERATED_CREDENTIAL_RULES, ROLE_ASSIGNMENT_RULES } from '../../src/identity/azure/azure-rules';
import { IAM_POLICY_MEMBER_RULES } from '../../src/identity/gcp/gcp-rules';
import { INSTALLATION_RULES } from '../../src/installations/aws-load-balancer-controller/installation-judge';
import { METALLB_KIND_RULES } from '../../src/installations/metal-lb/metal-lb-judge';
import { APP_RULES } from '../../src/installations/strimzi/app-rules';
import { OPERATOR_RULES } from '../../src/installations/strimzi/operator-rules';
import { DOCUMENT_RULES } from '../../src/kafka/document/document-rules';
import { KAFKA_TOPIC_RULES } from '../../src/kafka/entities/topic-rules';
import { KAFKA_USER_RULES } from '../../src/kafka/entities/user-rules';
import { LISTENER_RULES } from '../../src/kafka/listener/listener-rules';
import { CLUSTER_RULES } from '../../src/kafka/nodes/cluster-rules';
import { NODE_POOL_RULES } from '../../src/kafka/nodes/node-pool-rules';
import type { ControllerKind } from '../../src/rules/controller-kind';
import { OWNERSHIP_RULES } from '../../src/rules/ownership-rules';
import type { Rule } from '../../src/rules/rule';
import { SERVICE_RULES } from '../../src/rules/service-rules';
import { ENDPOINT_RULES, WORKLOAD_RULES } from '../../src/rules/workload-rules';
import { code, page, source, table } from './markdown';

/** Every rule that finished manifests are judged by. */
export function rulesPage(kinds: readonly ControllerKind[]): string {
  return page(
    '# Rules',
    'Rules read finished manifests, whoever wrote them. An error stops the synth; a warning is told once and can be [acknowledged](../how-to/deal-with-warnings.md) by the name of its rule.',
    ...section('Services', SERVICE_RULES),
    ...section('Services and their owners', OWNERSHIP_RULES),
    ...section('Workloads', WORKLOAD_RULES),
    ...section('Services and their workloads', ENDPOINT_RULES),
    ...kinds.flatMap((kind) => section(kind.name, kind.rules)),
    ...section('Kafka resources', DOCUMENT_RULES),
    ...section('Kafka listeners', LISTENER_RULES),
    ...section('Kafka resources and their node pools', CLUSTER_RULES),
    ...section('KafkaNodePools', NODE_POOL_RULES),
    ...section('KafkaTopics', KAFKA_TOPIC_RULES),
    ...section('KafkaUsers', KAFKA_USER_RULES),
    ...section('Gateways', errors([...GATEWAY_CLASS_RULES, ...GATEWAY_RULES])),
    ...section('TLSRoutes', errors(TLS_ROUTE_RULES)),
    ...section('TargetGroupBindings', errors(TARGET_GROUP_BINDING_RULES)),
    ...section('Installations of the AWS Load Balancer Controller', INSTALLATION_RULES),
    ...section('Installations of the Strimzi operator', [...OPERATOR_RULES, ...APP_RULES]),
    ...section('Configuration of MetalLB', METALLB_KIND_RULES),
    ...section('Azure Service Operator', errors([...ROLE_ASSIGNMENT_RULES, ...FEDERATED_CREDENTIAL_RULES])),
    ...section('Config Connector', errors(IAM_POLICY_MEMBER_RULES)),
  );
}

type Described = Pick<Rule, 'id' | 'severity' | 'says' | 'source'>;

/** Rules of rooms that know nothing but errors. */
function errors(rules: readonly Omit<Described, 'severity'>[]): Described[] {
  return rules.map(({ id, says, source }) => ({ id, severity: 'error', says, source }));
}

function section(title: string, rules: readonly Described[]): string[] {
  const rows = rules.map((rule) => [code(rule.id), rule.severity, rule.says, rule.source ? source(rule.source) : '–']);
  return [
    `## ${title}`,
    rows.length > 0 ? table(['rule', 'severity', 'what must hold', 'source'], rows) : 'It has no rules of its own.',
  ];
}
