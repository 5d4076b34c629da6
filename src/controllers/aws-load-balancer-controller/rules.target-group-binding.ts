import type { Finding } from '../../contract/finding';
import { isMap, type Json, mapIn, mapsIn } from '../../contract/json';
import { cidrFault } from '../../contract/kubernetes-syntax';
import type { DescribedRule } from '../../contract/rule';
import { TOKEN_IN_TEXT } from '../../contract/unresolved-token.facts';
import type { Rule } from '../../rules/rule';
import type { ObjectContext } from '../../rules/rule-context';
import { RuleSet } from '../../rules/rule-set';
import { portsOf } from '../../rules/service-json';
import { kindRules } from './kinds';
import {
  AUTO_MODE_BINDING_API_VERSION,
  BINDING_VALIDATOR,
  SECURITY_GROUP_ID,
  TARGET_GROUP_ARN,
  TARGET_GROUP_BINDING_API_VERSION,
  TARGET_GROUP_BINDING_FIELDS,
  VPC_ID,
} from './kinds.facts';

const source = BINDING_VALIDATOR;

/** What the definition refuses or drops. That of EKS Auto Mode is not published. */
const FIELD_RULES = kindRules(
  {
    prefix: 'binding',
    called: 'a TargetGroupBinding',
    definition: 'bases/elbv2.k8s.aws_targetgroupbindings.yaml',
    readFrom: '2.2.0',
  },
  ({ apiVersion }) =>
    apiVersion === TARGET_GROUP_BINDING_API_VERSION ? TARGET_GROUP_BINDING_FIELDS.v1beta1.spec : undefined,
);

/** Whether a text is wrong: one that is known at deployment only never is. */
function isWrong(value: unknown, syntax: RegExp): boolean {
  return typeof value === 'string' && !TOKEN_IN_TEXT.test(value) && !syntax.test(value);
}

function verdict(wrong: boolean, what: string, remedy: string): Finding[] {
  return wrong ? [{ what, remedy }] : [];
}

/** The peers that a binding opens ports for. */
function peersIn({ spec }: Json): Json[] {
  return mapsIn(mapIn(spec, 'networking'), 'ingress').flatMap((rule) => mapsIn(rule, 'from'));
}

/** What the AWS Load Balancer Controller refuses of TargetGroupBindings, most of it in its webhook. */
export const TARGET_GROUP_BINDING_RULES: readonly Rule<ObjectContext>[] = [
  ...FIELD_RULES,
  {
    id: 'binding-target-group',
    severity: 'error',
    says: 'no ARN of a target group, or a name beside the ARN',
    source,
    judge: ({ spec }) => {
      const arn: unknown = spec?.targetGroupARN;
      if (arn === undefined && spec?.targetGroupName === undefined) {
        return [{ what: 'the binding names no target group', remedy: 'give targetGroupArn' }];
      }
      return [
        ...verdict(
          arn !== undefined && spec?.targetGroupName !== undefined,
          'the binding has both the ARN and the name of a target group',
          'keep the ARN',
        ),
        ...verdict(isWrong(arn, TARGET_GROUP_ARN), `'${arn}' is not the ARN of a target group`, 'write the whole ARN'),
      ];
    },
  },
  {
    id: 'binding-target-type',
    severity: 'error',
    says: 'unknown target type, or none',
    // the default: webhooks/elbv2/targetgroupbinding_mutator.go, defaultingTargetType
    source,
    supersedes: ['binding-word'],
    on: ['spec.targetType'],
    judge: ({ spec }) =>
      ['ip', 'instance', undefined, null].includes(spec?.targetType)
        ? undefined
        : {
            what: `the target type is '${spec?.targetType}'`,
            remedy: 'write ip or instance, as the target group has it, or leave it out: the webhook looks it up',
            at: '/spec/targetType',
          },
  },
  {
    id: 'binding-node-selector',
    severity: 'error',
    says: 'node selector with ip targets',
    source,
    judge: ({ spec }) =>
      verdict(
        spec?.targetType === 'ip' && isMap(spec?.nodeSelector),
        'nodes are chosen, and targets are addresses of pods',
        'leave nodeSelector out, and choose nodes for the pods',
      ),
  },
  {
    id: 'binding-other-account',
    severity: 'error',
    says: 'role of another account with instance targets, or an external ID without a role',
    source,
    judge: ({ spec }) => [
      ...verdict(
        spec?.iamRoleArnToAssume !== undefined && spec?.targetType === 'instance',
        'a role of another account is to be taken, and targets are instances',
        'use targets of type ip',
      ),
      ...verdict(
        spec?.assumeRoleExternalId !== undefined && spec?.iamRoleArnToAssume === undefined,
        'there is an external ID, and no role',
        'give iamRoleArnToAssume too',
      ),
    ],
  },
  {
    id: 'binding-protocol',
    severity: 'error',
    says: 'QUIC with instance targets',
    source,
    judge: ({ spec }) =>
      verdict(
        spec?.targetType === 'instance' && String(spec?.targetGroupProtocol).includes('QUIC'),
        `the target group speaks ${spec?.targetGroupProtocol}, and targets are instances`,
        'use targets of type ip',
      ),
  },
  {
    id: 'binding-service-port',
    severity: 'error',
    effect: 'no-targets',
    decidedBy: ['spec.ports', 'serviceRef'],
    says: 'port that the Service does not have',
    source: { ...source, file: 'pkg/backend/endpoint_resolver.go and pkg/targetgroupbinding/resource_manager.go' },
    on: ['spec.serviceRef'],
    judge: ({ spec }, { among }) => {
      const { name, port } = mapIn(spec, 'serviceRef');
      const service = among?.index.nearest(among, '', 'Service', { namespace: among.namespace, name });
      const ports = service ? portsOf(service.json) : [];
      const isThere = ports.some((one) => (typeof port === 'number' ? one.port === port : one.name === port));
      return ports.length === 0 || port === undefined || isThere
        ? undefined
        : {
            what: `Service ${name} has no port ${port}, but ${ports.map((one) => (typeof port === 'number' ? one.port : one.name)).join(', ')}: the target group has no targets`,
            remedy: 'write the name or the number of a port of the Service',
            value: String(port),
            at: '/spec/serviceRef/port',
          };
    },
  },
  {
    id: 'binding-vpc',
    severity: 'error',
    says: 'VPC that is not an ID',
    source,
    judge: ({ spec }) =>
      verdict(
        isWrong(spec?.vpcID, VPC_ID),
        `'${spec?.vpcID}' is not the ID of a VPC`,
        'write vpc- and 8 or 17 hexadecimal digits',
      ),
  },
  {
    id: 'binding-networking',
    severity: 'error',
    says: 'invalid source of traffic in networking',
    source,
    judge: (binding) =>
      peersIn(binding).flatMap((peer) => {
        const group: unknown = mapIn(peer, 'securityGroup').groupID;
        const cidr: unknown = mapIn(peer, 'ipBlock').cidr;
        const fault = typeof cidr === 'string' && !TOKEN_IN_TEXT.test(cidr) ? cidrFault(cidr) : undefined;
        return [
          ...verdict(
            isWrong(group, SECURITY_GROUP_ID),
            `'${group}' is not the ID of a security group`,
            'write one that begins with sg-',
          ),
          ...verdict(fault !== undefined, String(fault), 'write a range with its prefix'),
          ...verdict(
            cidr !== undefined && binding.apiVersion === AUTO_MODE_BINDING_API_VERSION,
            `ports are opened for ${cidr}`,
            'name a security group instead',
          ),
        ];
      }),
  },
];

export const TARGET_GROUP_BINDING_RULE_SET = new RuleSet(TARGET_GROUP_BINDING_RULES, 'aws-load-balancer-controller');

/** Thrown where the props name the port of the Service twice or not at all. */
export const BINDING_PORT: DescribedRule = {
  id: 'binding-port',
  severity: 'error',
  says: 'no port or two ports of the Service',
  source: 'ours',
};
