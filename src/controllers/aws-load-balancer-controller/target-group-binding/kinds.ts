import { groupedByAll, isMap, isSet, type Json, mapIn, mapsIn, shown } from '../../../contract/json';
import { cidrFault } from '../../../contract/kubernetes-syntax';
import type { DescribedRule, Found } from '../../../contract/rule';
import { type SchemaSubject, schemaRules } from '../../../contract/schema/rules';
import { SchemaFault, type SchemaField, type SchemaRelease } from '../../../contract/schema/walk';
import { TOKEN_IN_TEXT } from '../../../contract/unresolved-token.facts';
import { type ControllerVersion, definitionOf } from '../../../rules/controller-definition';
import { groupOf, type IndexedObject, kindAndTitleOf, type ObjectIndex } from '../../../rules/objects';
import type { ObjectContext, Rule } from '../../../rules/rule';
import { RuleSet, rulesOf } from '../../../rules/rule-set';
import { portsOf } from '../../../rules/service-json';
import { AWS_LBC_CONTROLLER } from '../annotations';
import { BINDING_RULE_ROWS } from '../binding-rules.facts';
import {
  AUTO_MODE_BINDING_API_VERSION,
  BINDING_STACK_LABELS,
  BINDING_VALIDATOR,
  DEFINITIONS_OF,
  INGRESS_GROUP,
  LOAD_BALANCER_CONFIGURATION_FIELDS,
  SECURITY_GROUP_ID,
  TARGET_GROUP_ARN,
  TARGET_GROUP_BINDING_API_VERSION,
  TARGET_GROUP_BINDING_FIELDS,
  TARGET_GROUP_CONFIGURATION_FIELDS,
  VPC_ID,
} from '../kinds.facts';
import { lacksNodePorts } from '../model';

function kindRules(
  {
    definition,
    readFrom,
    ...subject
  }: Pick<SchemaSubject<ObjectContext>, 'prefix' | 'called'> & Readonly<Record<'definition' | 'readFrom', string>>,
  specOf: (object: Json) => SchemaField | undefined,
): readonly Rule<ObjectContext>[] {
  return schemaRules<ObjectContext>({
    ...subject,
    source: { ...BINDING_VALIDATOR, file: `config/crd/${definition}` },
    faults: [SchemaFault.MISSING, SchemaFault.SHAPE, SchemaFault.VALUE, SchemaFault.UNKNOWN, SchemaFault.TOO_NEW],
    warnings: [SchemaFault.UNKNOWN],
    part(object, context) {
      const fields = specOf(object)?.fields;
      return fields && { map: object.spec, fields, where: 'spec', at: '/spec', release: releaseIn(context, readFrom) };
    },
  });
}

function releaseIn(context: ObjectContext, readFrom: string): SchemaRelease {
  const versions = versionsIn(context);
  return {
    product: 'the AWS Load Balancer Controller',
    version: versions[0]?.version ?? DEFINITIONS_OF,
    readFrom,
    oldApi: false,
    has: (since) => versions.every((version) => version.reaches(since)),
    isAssumed: versions.length === 0,
  };
}

export function versionsIn({ controllers = [] }: ObjectContext): ControllerVersion[] {
  return controllers
    .filter(({ name }) => name === AWS_LBC_CONTROLLER)
    .flatMap((one) => definitionOf(one)?.versionOf?.(one) ?? []);
}

export const LOAD_BALANCER_CONFIGURATION_RULES = kindRules(
  {
    prefix: 'nlb-configuration',
    called: 'a LoadBalancerConfiguration',
    definition: 'gateway/gateway.k8s.aws_loadbalancerconfigurations.yaml',
    readFrom: '2.14.0',
  },
  () => LOAD_BALANCER_CONFIGURATION_FIELDS.spec,
);

export const TARGET_GROUP_CONFIGURATION_RULES = kindRules(
  {
    prefix: 'target-group-configuration',
    called: 'a TargetGroupConfiguration',
    definition: 'gateway/gateway.k8s.aws_targetgroupconfigurations.yaml',
    readFrom: '2.13.3',
  },
  () => TARGET_GROUP_CONFIGURATION_FIELDS.spec,
);

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

const SHARES_SINCE = '2.12.0';

const BINDING_GROUP = groupOf({ apiVersion: TARGET_GROUP_BINDING_API_VERSION });

/** True if a text is wrong: one that is known at deployment only never is. */
function isWrong(value: unknown, syntax: RegExp): boolean {
  return typeof value === 'string' && !TOKEN_IN_TEXT.test(value) && !syntax.test(value);
}

function peersIn({ spec }: Json): { readonly peer: Json; readonly at: string }[] {
  return mapsIn(mapIn(spec, 'networking'), 'ingress').flatMap((rule, i) =>
    mapsIn(rule, 'from').map((peer, k) => ({ peer, at: `/spec/networking/ingress/${i}/from/${k}` })),
  );
}

function boundAlike(binding: IndexedObject): readonly IndexedObject[] {
  const keysOf = ({ json }: IndexedObject) => {
    const { targetGroupARN: arn, targetGroupName: name, iamRoleArnToAssume: role } = mapIn(json, 'spec');
    return isSet(arn) ? [arn] : isSet(name) ? [`${name} ${role}`] : [];
  };
  const bindings = (index: ObjectIndex) => groupedByAll(index.of(BINDING_GROUP, binding.kind), keysOf);
  const all = binding.index.once(boundAlike, bindings);
  return keysOf(binding).flatMap((key) => all.get(key) ?? []);
}

/** A Service that an object means, if it has no node ports for targets that are nodes. */
export function portlessService(among: IndexedObject, key: { readonly namespace?: string; readonly name: unknown }) {
  const service = among.index.nearest(among, '', 'Service', key);
  return service && lacksNodePorts(service.json)
    ? { name: service.name, type: mapIn(service.json, 'spec').type ?? 'ClusterIP' }
    : undefined;
}

function stackLabelOf({ metadata }: Json): string | undefined {
  const labels: unknown = metadata?.labels;
  return isMap(labels) ? BINDING_STACK_LABELS.find((label) => label in labels) : undefined;
}

const isOfController = ({ apiVersion }: Json): boolean => groupOf({ apiVersion }) === BINDING_GROUP;

const isUnserved = (binding: Json, { controllers }: ObjectContext): boolean =>
  isOfController(binding) &&
  controllers?.every((one) => definitionOf(one) !== undefined && one.name !== AWS_LBC_CONTROLLER) === true;

const only = (isWrong: boolean, found: Found) => (isWrong ? found : undefined);

export const TARGET_GROUP_BINDING_RULES: readonly Rule<ObjectContext>[] = [
  ...FIELD_RULES,
  ...rulesOf({
    rows: BINDING_RULE_ROWS,
    source: BINDING_VALIDATOR,
    read: ({ spec }, _context: ObjectContext): Json => spec ?? {},
    finds: {
      'binding-target-group-invalid': ({ targetGroupARN: arn, targetGroupName: name }) =>
        arn === undefined && name === undefined
          ? { case: 'none' }
          : [
              only(arn !== undefined && name !== undefined, { case: 'both' }),
              only(isWrong(arn, TARGET_GROUP_ARN), { case: 'wrong', arn, at: '/spec/targetGroupARN' }),
            ],
      'binding-target-group-shared': (_, __, context) => {
        const { among } = context;
        const all = (among && among.group === BINDING_GROUP && boundAlike(among)) || [];
        const [other] = all.filter((one) => one.name !== among?.name || one.namespace !== among?.namespace);
        const old = versionsIn(context).find((version) => !version.reaches(SHARES_SINCE));
        const isShared = !old && all.every(({ json }) => mapIn(json, 'spec').multiClusterTargetGroup === true);
        const at = '/spec/targetGroupARN';
        return (
          other &&
          all[0] !== among &&
          !isShared && {
            ...{ case: old ? 'old' : 'one', version: old?.version, at },
            other: `${kindAndTitleOf(other)} (${other.path})`,
          }
        );
      },
      'binding-target-type-unknown': ({ targetType: type }) =>
        !['ip', 'instance', undefined, null].includes(type) && { type, at: '/spec/targetType' },
      'binding-node-selector-with-ip-targets': ({ targetType, nodeSelector }) =>
        targetType === 'ip' && isMap(nodeSelector) && {},
      'binding-role-invalid': ({ iamRoleArnToAssume: role, assumeRoleExternalId: id, targetType }) => [
        only(role !== undefined && targetType === 'instance', { case: 'instances' }),
        only(id !== undefined && role === undefined, { case: 'role' }),
      ],
      'binding-quic-with-instance-targets': ({ targetType, targetGroupProtocol: protocol }) =>
        targetType === 'instance' && String(protocol).includes('QUIC') && { protocol },
      'binding-service-port-unknown': (spec, _, { among }) => {
        const { name, port } = mapIn(spec, 'serviceRef');
        const service = among?.index.nearest(among, '', 'Service', { namespace: among.namespace, name });
        const known = (service ? portsOf(service.json) : []).map((one) =>
          typeof port === 'number' ? one.port : one.name,
        );
        return (
          known.length > 0 &&
          port !== undefined &&
          !known.includes(port) && { name, ports: known.join(', '), value: String(port), at: '/spec/serviceRef/port' }
        );
      },
      'binding-vpc-invalid': ({ vpcID: vpc }) => isWrong(vpc, VPC_ID) && { vpc },
      'binding-networking-invalid': (_, binding) =>
        peersIn(binding).flatMap(({ peer, at }) => {
          const group: unknown = mapIn(peer, 'securityGroup').groupID;
          const cidr: unknown = mapIn(peer, 'ipBlock').cidr;
          const fault = typeof cidr === 'string' && !TOKEN_IN_TEXT.test(cidr) ? cidrFault(cidr) : undefined;
          const isOfAutoMode = binding.apiVersion === AUTO_MODE_BINDING_API_VERSION;
          return [
            only(isWrong(group, SECURITY_GROUP_ID), { case: 'group', group, at: `${at}/securityGroup/groupID` }),
            only(fault !== undefined, { case: 'range', fault, at: `${at}/ipBlock/cidr` }),
            only(cidr !== undefined && isOfAutoMode, { case: 'auto-mode', cidr, at: `${at}/ipBlock/cidr` }),
          ];
        }),
      'binding-without-controller': (_, binding, context) =>
        isUnserved(binding, context) && {
          group: BINDING_GROUP,
          apiVersion: AUTO_MODE_BINDING_API_VERSION,
          value: binding.apiVersion,
        },
      'binding-without-node-ports': ({ targetType, serviceRef }, _, { among }) => {
        const service =
          among &&
          portlessService(among, { namespace: among.namespace, name: mapIn({ serviceRef }, 'serviceRef').name });
        return service && targetType === 'instance' && { ...service, value: 'instance' };
      },
      'binding-copy-of-generated': (_, binding, { among }) => {
        const value = stackLabelOf(binding);
        // a dump of a cluster has what the controller made it for
        const isDump = [among?.index.of(INGRESS_GROUP, 'Ingress'), among?.index.of('', 'Service')].some(
          (all) => all?.length,
        );
        const at = `/metadata/labels/${value?.replaceAll('/', '~1')}`;
        return value !== undefined && !isDump && { stack: shown(binding.metadata.labels[value]), value, at };
      },
      'binding-without-networking': ({ networking }, binding, context) =>
        isOfController(binding) &&
        !isUnserved(binding, context) &&
        networking === undefined &&
        stackLabelOf(binding) === undefined &&
        {},
      'binding-version-deprecated': (_, { apiVersion }) =>
        isOfController({ apiVersion }) &&
        apiVersion !== TARGET_GROUP_BINDING_API_VERSION && {
          shown: shown(apiVersion),
          stored: TARGET_GROUP_BINDING_API_VERSION,
          value: apiVersion,
        },
    },
  }),
];

export const TARGET_GROUP_BINDING_RULE_SET = new RuleSet(TARGET_GROUP_BINDING_RULES, 'aws-load-balancer-controller');

/** Thrown where the props name the port of the Service twice or not at all. */
export const BINDING_PORT: DescribedRule = {
  id: 'binding-port-ambiguous',
  severity: 'error',
  says: 'no port or two ports of the Service',
  source: 'docs/how-to/keep-load-balancers.md#create-your-own-load-balancer',
};
