import {
  BOOLEAN,
  CONDITIONS,
  INT32,
  INT64,
  INTEGER,
  INTEGERS,
  QUANTITIES,
  REQUIRED_TEXT,
  SELECTOR,
  TEXT,
  TEXT_MAP,
  TEXTS,
  TEXTS_MAP,
} from '../../contract/schema/common.facts';
import { listOf, mapOf, oneOf, type SchemaFields } from '../../contract/schema/field';
import {
  CAPACITY,
  IP_ADDRESS_TYPE,
  KEYS_AND_VALUES,
  LOAD_BALANCER_CONFIGURATION_FIELDS,
  SCHEME,
  TARGET_GROUP_BINDING_FIELDS,
  TARGET_GROUP_CONFIGURATION_FIELDS,
  TARGET_TYPE,
} from '../../controllers/aws-load-balancer-controller/kinds.facts';
import type { Part } from './facts';

/** A column of `kubectl get`: name, type, path, and priority where it is not 0. */
export type CrdColumn = readonly [name: string, type: string, jsonPath: string, priority?: number];

/** A version of a kind. */
export interface CrdVersionFact {
  readonly name: string;
  /** Objects are kept in this version. */
  readonly storage?: true;
  /** It has a status that is written apart. */
  readonly status?: true;
  /** What the API server warns its users of. */
  readonly deprecated?: string;
  readonly columns: readonly CrdColumn[];
  readonly fields: SchemaFields;
}

/** A kind that the controller brings along. */
export interface CrdFact {
  /** The part of the controller that needs it. */
  readonly part: Part;
  /** The file of the controller's repository. */
  readonly file: string;
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly versions: readonly CrdVersionFact[];
}

// The structure of the kinds, without descriptions. Read only when an installation is made.
// kubernetes-sigs/aws-load-balancer-controller, tag v3.5.0; each row names its file

const INGRESS_CLASS_PARAMS: SchemaFields = {
  spec: mapOf(
    {
      PrefixListsIDs: TEXTS,
      certificateArn: TEXTS,
      group: mapOf({ name: REQUIRED_TEXT }),
      inboundCIDRs: TEXTS,
      ipAddressType: IP_ADDRESS_TYPE,
      ipamConfiguration: mapOf({ ipv4IPAMPoolId: TEXT }),
      listeners: listOf({ listenerAttributes: KEYS_AND_VALUES, port: INT32, protocol: TEXT }),
      loadBalancerAttributes: KEYS_AND_VALUES,
      loadBalancerName: TEXT,
      minimumLoadBalancerCapacity: CAPACITY,
      namespaceSelector: SELECTOR,
      prefixListsIDs: TEXTS,
      scheme: SCHEME,
      sslPolicy: TEXT,
      sslRedirectPort: TEXT,
      subnets: mapOf({ ids: { ...TEXTS, atLeast: 1, pattern: /subnet-[0-9a-f]+/ }, tags: TEXTS_MAP }),
      tags: KEYS_AND_VALUES,
      targetType: TARGET_TYPE,
      wafv2AclArn: TEXT,
      wafv2AclName: TEXT,
    },
    { cel: ['!(has(self.prefixListsIDs) && has(self.PrefixListsIDs))'] },
  ),
};

const ADDRESS = { ...REQUIRED_TEXT, pattern: /^.+:[0-9]+$/ };
const TARGET_CONTROL: SchemaFields = {
  spec: mapOf({
    controlAddress: ADDRESS,
    dataAddress: ADDRESS,
    destinationAddress: ADDRESS,
    image: REQUIRED_TEXT,
    maxConcurrency: { ...INTEGER, atLeast: 0, atMost: 1000, format: 'int32', default: 1 },
    protocolVersion: oneOf('HTTP1', 'HTTP2', 'GRPC'),
    resources: mapOf({
      claims: listOf({ name: REQUIRED_TEXT, request: TEXT }, { listType: 'map', listMapKeys: ['name'] }),
      limits: QUANTITIES,
      requests: QUANTITIES,
    }),
    rustLog: oneOf('debug', 'info', 'error'),
    tlsCertPath: TEXT,
    tlsKeyPath: TEXT,
    tlsSecurityPolicy: TEXT,
  }),
};

const ON_UNAUTHENTICATED = { ...oneOf('deny', 'allow', 'authenticate'), default: 'authenticate' };
const SESSION_COOKIE = { ...TEXT, default: 'AWSELBAuthSessionCookie' };
const SESSION_TIMEOUT = { ...INTEGER, atLeast: 1, atMost: 604800, format: 'int64', default: 604800 };
const LISTENER_RULE: SchemaFields = {
  spec: mapOf(
    {
      actions: listOf(
        {
          authenticateCognitoConfig: mapOf({
            authenticationRequestExtraParams: { ...TEXT_MAP, atMost: 10 },
            onUnauthenticatedRequest: ON_UNAUTHENTICATED,
            scope: { ...TEXT, default: 'openid' },
            sessionCookieName: SESSION_COOKIE,
            sessionTimeout: SESSION_TIMEOUT,
            userPoolArn: REQUIRED_TEXT,
            userPoolClientId: REQUIRED_TEXT,
            userPoolDomain: REQUIRED_TEXT,
          }),
          authenticateOIDCConfig: mapOf({
            authenticationRequestExtraParams: { ...TEXT_MAP, atMost: 10 },
            authorizationEndpoint: REQUIRED_TEXT,
            issuer: REQUIRED_TEXT,
            onUnauthenticatedRequest: ON_UNAUTHENTICATED,
            scope: { ...TEXT, default: 'openid' },
            secret: mapOf({ name: REQUIRED_TEXT }, { required: true }),
            sessionCookieName: SESSION_COOKIE,
            sessionTimeout: SESSION_TIMEOUT,
            tokenEndpoint: REQUIRED_TEXT,
            useExistingClientSecret: BOOLEAN,
            userInfoEndpoint: REQUIRED_TEXT,
          }),
          fixedResponseConfig: mapOf({
            contentType: {
              ...oneOf('text/plain', 'text/css', 'text/html', 'application/javascript', 'application/json'),
              default: 'text/plain',
            },
            messageBody: TEXT,
            statusCode: {
              ...INTEGER,
              required: true,
              format: 'int32',
              cel: ['(self >= 200 && self <= 299) || (self >= 400 && self <= 599)'],
            },
          }),
          forwardConfig: mapOf({
            targetGroupStickinessConfig: mapOf(
              {
                durationSeconds: { ...INTEGER, atLeast: 1, atMost: 604800, format: 'int32', default: 3600 },
                enabled: { ...BOOLEAN, default: false },
              },
              { default: {} },
            ),
          }),
          jwtValidationConfig: mapOf({
            additionalClaims: listOf({
              format: { ...oneOf('single-string', 'string-array', 'space-separated-values'), required: true },
              name: { ...TEXT, required: true, atLeast: 1 },
              values: { ...TEXTS, required: true, atLeast: 1, atMost: 10, entriesAtMost: 256 },
            }),
            issuer: { ...TEXT, required: true, atMost: 256 },
            jwksEndpoint: { ...TEXT, required: true, atMost: 256 },
          }),
          redirectConfig: mapOf({ query: { ...TEXT, default: '#{query}' } }),
          type: {
            ...oneOf(
              'forward',
              'fixed-response',
              'redirect',
              'authenticate-cognito',
              'authenticate-oidc',
              'jwt-validation',
            ),
            required: true,
          },
        },
        {
          atLeast: 1,
          atMost: 2,
          cel: [
            "has(self.type) && self.type == 'forward' ? has(self.forwardConfig) : !has(self.forwardConfig)",
            "has(self.type) && self.type == 'redirect' ? has(self.redirectConfig) : !has(self.redirectConfig)",
            "has(self.type) && self.type == 'fixed-response' ? has(self.fixedResponseConfig) : !has(self.fixedResponseConfig)",
            "has(self.type) && self.type == 'authenticate-cognito' ? has(self.authenticateCognitoConfig) : !has(self.authenticateCognitoConfig)",
            "has(self.type) && self.type == 'authenticate-oidc' ? has(self.authenticateOIDCConfig) : !has(self.authenticateOIDCConfig)",
            "has(self.type) && self.type == 'jwt-validation' ? has(self.jwtValidationConfig) : !has(self.jwtValidationConfig)",
          ],
        },
      ),
      conditions: listOf(
        {
          field: { ...oneOf('source-ip'), required: true },
          matchIndexes: INTEGERS,
          sourceIPConfig: mapOf({ values: { ...TEXTS, required: true, atLeast: 1 } }),
        },
        {
          atLeast: 1,
          cel: ["has(self.field) && self.field == 'source-ip' ? has(self.sourceIPConfig) : !has(self.sourceIPConfig)"],
        },
      ),
      tags: TEXT_MAP,
    },
    {
      cel: [
        '!has(self.actions) || size(self.actions) > 0',
        "!has(self.actions) || self.actions.all(a, a.type == 'authenticate-oidc' || a.type == 'authenticate-cognito' || a.type == 'jwt-validation' || a.type == 'fixed-response' || a.type == 'forward' || a.type == 'redirect')",
        "!has(self.actions) || size(self.actions.filter(a, a.type == 'authenticate-oidc' || a.type == 'authenticate-cognito' || a.type == 'jwt-validation')) <= 1",
        "!has(self.actions) || size(self.actions.filter(a, a.type == 'fixed-response' || a.type == 'forward' || a.type == 'redirect')) <= 1",
      ],
    },
  ),
  status: mapOf({ accepted: BOOLEAN, message: TEXT, observedGeneration: INT64 }),
};

const REQUIRED_PORT = { ...INTEGER, required: true as const, atLeast: 1, atMost: 65535, format: 'int32' };
const ACCELERATOR: SchemaFields = {
  spec: mapOf({
    ipAddressType: { ...oneOf('IPV4', 'DUAL_STACK'), default: 'IPV4' },
    ipAddresses: { ...TEXTS, atLeast: 1, atMost: 2 },
    listeners: listOf({
      clientAffinity: { ...oneOf('SOURCE_IP', 'NONE'), default: 'NONE' },
      endpointGroups: listOf({
        endpoints: listOf(
          {
            clientIPPreservationEnabled: { ...BOOLEAN, default: true },
            endpointID: { ...TEXT, atMost: 255 },
            name: TEXT,
            namespace: TEXT,
            type: { ...oneOf('EndpointID', 'Service', 'Ingress', 'Gateway'), required: true },
            weight: { ...INTEGER, atLeast: 0, atMost: 255, format: 'int32', default: 128 },
          },
          {
            cel: [
              "self.type != 'EndpointID' || (has(self.endpointID) && !has(self.name))",
              "self.type == 'EndpointID' || (has(self.name) && !has(self.endpointID))",
            ],
          },
        ),
        portOverrides: listOf({ endpointPort: REQUIRED_PORT, listenerPort: REQUIRED_PORT }),
        region: { ...TEXT, atMost: 255 },
        trafficDialPercentage: { ...INTEGER, atLeast: 0, atMost: 100, format: 'int32', default: 100 },
      }),
      portRanges: listOf(
        { fromPort: REQUIRED_PORT, toPort: REQUIRED_PORT },
        { atLeast: 1, atMost: 10, cel: ['self.fromPort <= self.toPort'] },
      ),
      protocol: oneOf('TCP', 'UDP'),
    }),
    name: { ...TEXT, pattern: /^[a-zA-Z0-9_-]{1,64}$/, atLeast: 1, atMost: 64 },
    tags: TEXT_MAP,
  }),
  status: mapOf({
    acceleratorARN: TEXT,
    conditions: CONDITIONS,
    dnsName: TEXT,
    dualStackDnsName: TEXT,
    ipSets: listOf({ ipAddressFamily: TEXT, ipAddresses: TEXTS }),
    observedGeneration: INT64,
    status: TEXT,
  }),
};

export const CRDS: readonly CrdFact[] = [
  {
    part: 'core',
    file: 'config/crd/bases/elbv2.k8s.aws_targetgroupbindings.yaml',
    group: 'elbv2.k8s.aws',
    kind: 'TargetGroupBinding',
    plural: 'targetgroupbindings',
    singular: 'targetgroupbinding',
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1alpha1',
        status: true,
        columns: [
          ['SERVICE-NAME', 'string', '.spec.serviceRef.name'],
          ['SERVICE-PORT', 'string', '.spec.serviceRef.port'],
          ['TARGET-TYPE', 'string', '.spec.targetType'],
          ['ARN', 'string', '.spec.targetGroupARN', 1],
          ['NAME', 'string', '.spec.targetGroupName', 2],
          ['AGE', 'date', '.metadata.creationTimestamp'],
        ],
        fields: TARGET_GROUP_BINDING_FIELDS.v1alpha1,
      },
      {
        name: 'v1beta1',
        storage: true,
        status: true,
        columns: [
          ['SERVICE-NAME', 'string', '.spec.serviceRef.name'],
          ['SERVICE-PORT', 'string', '.spec.serviceRef.port'],
          ['TARGET-TYPE', 'string', '.spec.targetType'],
          ['ARN', 'string', '.spec.targetGroupARN', 1],
          ['NAME', 'string', '.spec.targetGroupName', 2],
          ['AGE', 'date', '.metadata.creationTimestamp'],
        ],
        fields: TARGET_GROUP_BINDING_FIELDS.v1beta1,
      },
    ],
  },
  {
    part: 'ingress',
    file: 'config/crd/bases/elbv2.k8s.aws_ingressclassparams.yaml',
    group: 'elbv2.k8s.aws',
    kind: 'IngressClassParams',
    plural: 'ingressclassparams',
    singular: 'ingressclassparam',
    scope: 'Cluster',
    versions: [
      {
        name: 'v1beta1',
        storage: true,
        columns: [
          ['GROUP-NAME', 'string', '.spec.group.name'],
          ['SCHEME', 'string', '.spec.scheme'],
          ['IP-ADDRESS-TYPE', 'string', '.spec.ipAddressType'],
          ['AGE', 'date', '.metadata.creationTimestamp'],
        ],
        fields: INGRESS_CLASS_PARAMS,
      },
    ],
  },
  {
    part: 'alb-target-control',
    file: 'config/crd/bases/elbv2.k8s.aws_albtargetcontrolconfigs.yaml',
    group: 'elbv2.k8s.aws',
    kind: 'ALBTargetControlConfig',
    plural: 'albtargetcontrolconfigs',
    singular: 'albtargetcontrolconfig',
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1beta1',
        storage: true,
        columns: [
          ['IMAGE', 'string', '.spec.image'],
          ['DESTINATION', 'string', '.spec.destinationAddress'],
          ['AGE', 'date', '.metadata.creationTimestamp'],
        ],
        fields: TARGET_CONTROL,
      },
    ],
  },
  {
    part: 'gateway',
    file: 'config/crd/gateway/gateway.k8s.aws_loadbalancerconfigurations.yaml',
    group: 'gateway.k8s.aws',
    kind: 'LoadBalancerConfiguration',
    plural: 'loadbalancerconfigurations',
    singular: 'loadbalancerconfiguration',
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        storage: true,
        status: true,
        columns: [['AGE', 'date', '.metadata.creationTimestamp']],
        fields: LOAD_BALANCER_CONFIGURATION_FIELDS,
      },
      {
        name: 'v1beta1',
        status: true,
        deprecated: 'gateway.k8s.aws/v1beta1 LoadBalancerConfiguration is deprecated; use gateway.k8s.aws/v1 instead',
        columns: [['AGE', 'date', '.metadata.creationTimestamp']],
        fields: LOAD_BALANCER_CONFIGURATION_FIELDS,
      },
    ],
  },
  {
    part: 'gateway',
    file: 'config/crd/gateway/gateway.k8s.aws_targetgroupconfigurations.yaml',
    group: 'gateway.k8s.aws',
    kind: 'TargetGroupConfiguration',
    plural: 'targetgroupconfigurations',
    singular: 'targetgroupconfiguration',
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        storage: true,
        status: true,
        columns: [
          ['SERVICE-NAME', 'string', '.spec.targetReference.name'],
          ['AGE', 'date', '.metadata.creationTimestamp'],
        ],
        fields: TARGET_GROUP_CONFIGURATION_FIELDS,
      },
      {
        name: 'v1beta1',
        status: true,
        deprecated: 'gateway.k8s.aws/v1beta1 TargetGroupConfiguration is deprecated; use gateway.k8s.aws/v1 instead',
        columns: [
          ['SERVICE-NAME', 'string', '.spec.targetReference.name'],
          ['AGE', 'date', '.metadata.creationTimestamp'],
        ],
        fields: TARGET_GROUP_CONFIGURATION_FIELDS,
      },
    ],
  },
  {
    part: 'gateway',
    file: 'config/crd/gateway/gateway.k8s.aws_listenerruleconfigurations.yaml',
    group: 'gateway.k8s.aws',
    kind: 'ListenerRuleConfiguration',
    plural: 'listenerruleconfigurations',
    singular: 'listenerruleconfiguration',
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        storage: true,
        status: true,
        columns: [['AGE', 'date', '.metadata.creationTimestamp']],
        fields: LISTENER_RULE,
      },
      {
        name: 'v1beta1',
        status: true,
        deprecated: 'gateway.k8s.aws/v1beta1 ListenerRuleConfiguration is deprecated; use gateway.k8s.aws/v1 instead',
        columns: [['AGE', 'date', '.metadata.creationTimestamp']],
        fields: LISTENER_RULE,
      },
    ],
  },
  {
    part: 'global-accelerator',
    file: 'config/crd/aga/aga.k8s.aws_globalaccelerators.yaml',
    group: 'aga.k8s.aws',
    kind: 'GlobalAccelerator',
    plural: 'globalaccelerators',
    singular: 'globalaccelerator',
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1beta1',
        storage: true,
        status: true,
        columns: [
          ['ACCELERATOR-NAME', 'string', '.spec.name'],
          ['DNS-NAME', 'string', '.status.dnsName'],
          ['TYPE', 'string', '.spec.type'],
          ['STATUS', 'string', '.status.status'],
          ['ARN', 'string', '.status.acceleratorARN', 1],
          ['AGE', 'date', '.metadata.creationTimestamp'],
        ],
        fields: ACCELERATOR,
      },
    ],
  },
];
