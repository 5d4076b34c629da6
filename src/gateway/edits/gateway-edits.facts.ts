// What controllers of Gateways do when a live one changes. envoyproxy/gateway v1.9.0: internal/gatewayapi and
// internal/infrastructure/kubernetes; kubernetes-sigs/aws-load-balancer-controller v3.5.0: controllers/gateway, pkg/gateway and
// pkg/deploy/elbv2; kubernetes-sigs/gateway-api v1.6.1: apis/v1

import {
  deleted,
  type EditFact,
  ignored,
  interrupted,
  kept,
  orphaned,
  refused,
  replaced,
  unknown,
} from '../../contract/edit';
import { absentIs, IN_ANY_ORDER, onlyMore, putIn, where } from '../../contract/edit-cases';
import { isMap, list } from '../../contract/json';
import type { Citation } from '../../contract/kubernetes.facts';
import type { ObjectEditFact, ObjectEdits } from '../../contract/object-edits';
import { type EditedKind, passedTo } from '../../rules/edits-of-values';
import {
  GATEWAY_CLASS_FIELDS,
  GATEWAY_FIELDS,
  LISTENER_SET_FIELDS,
  REFERENCE_GRANT_FIELDS,
  TCP_ROUTE_FIELDS,
  TLS_ROUTE_FIELDS,
} from '../fields.facts';
import {
  GATEWAY_CLASS_KIND,
  GATEWAY_GROUP,
  GATEWAY_KIND,
  IP_TYPE,
  LISTENER_SET_KIND,
  REFERENCE_GRANT_KIND,
  TCP_ROUTE_KIND,
  TLS_ROUTE_KIND,
} from '../gateway.facts';
import { EDITED_ENVOY_POLICIES } from './envoy-policy-edits.facts';

const ENVOY: Citation = {
  repository: 'envoyproxy/gateway',
  version: 'v1.9.0',
  file: 'internal/gatewayapi/listener.go',
};
const ENVOY_SERVICE = 'internal/infrastructure/kubernetes/proxy/resource_provider.go';
const ENVOY_APPLY = 'internal/infrastructure/kubernetes/infra_resource.go';
const ENVOY_TRANSLATOR = 'internal/gatewayapi/translator.go';

const AWS: Citation = {
  repository: 'kubernetes-sigs/aws-load-balancer-controller',
  version: 'v3.5.0',
  file: 'pkg/gateway/model/base_model_builder.go',
};
const AWS_CONTROLLER = 'controllers/gateway/gateway_controller.go';
const AWS_LISTENERS = 'pkg/deploy/elbv2/listener_synthesizer.go';
const AWS_LISTENER = 'pkg/deploy/elbv2/listener_manager.go';
const AWS_BALANCERS = 'pkg/deploy/elbv2/load_balancer_synthesizer.go';
const AWS_GROUPS = 'pkg/gateway/model/model_build_target_group.go';

const API: Citation = {
  repository: 'kubernetes-sigs/gateway-api',
  version: 'v1.6.1',
  file: 'apis/v1/gateway_types.go',
};
const CLASS_TYPES = 'apis/v1/gatewayclass_types.go';
const SHARED_TYPES = 'apis/v1/shared_types.go';
const ROUTE_TYPES = 'apis/v1/tcproute_types.go';
const GRANT_TYPES = 'apis/v1/referencegrant_types.go';

const isUsualAddress = (address: unknown) => isMap(address) && [IP_TYPE, 'Hostname'].includes(address.type ?? IP_TYPE);

const LISTENERS = 'spec.listeners[name|port]';

const ADDED = kept('the balancer gets a listener more; the others stay');
const ATTACHED = interrupted(
  'routes that may attach no longer are served no more: their clients are cut off; the balancer stays',
);
const DNS_NAMES = interrupted('clients of the old host name are no longer served; the balancer stays');
const CERTIFICATES = interrupted('clients that do not trust the other certificate are cut off; the balancer stays');
const MORE_MAY = onlyMore('those that may attach already stay');

/** What all controllers have in common: they change what routes and listeners may do without touching the balancer. */
const ANY_LISTENERS: ObjectEdits = {
  [`${LISTENERS}.name`]: interrupted('routes that name it by its old name are served no more; the balancer stays'),
  [`${LISTENERS}.hostname`]: DNS_NAMES,
  [`${LISTENERS}.tls.*`]: CERTIFICATES,
  [`${LISTENERS}.allowedRoutes.*`]: ATTACHED,
};

const ANY_GATEWAY: ObjectEdits = {
  ...ANY_LISTENERS,
  'spec.listeners[]': kept('the order means nothing'),
  'spec.allowedListeners.*': interrupted(
    'ListenerSets that may no longer join lose their ports: their clients are cut off; the balancer stays',
  ),
  'spec.defaultScope': ATTACHED,
  'spec.tls.backend.*': interrupted('pods that do not accept the other certificate refuse connections'),
  'spec.tls.frontend.*': interrupted('clients without a certificate that is accepted are refused'),
  'metadata.labels{}': kept('labels of the Gateway itself stay on it'),
  'metadata.annotations{}': kept('annotations of the Gateway itself are not passed on; the controller may read some'),
};

const GONE: ObjectEditFact = {
  ...deleted('its balancer is taken down, and its address goes'),
  unless: [putIn(kept('a balancer is made'))],
};

const OTHER_NAME = replaced(
  'another Gateway with a balancer and an address of its own; the old one goes with the old object',
);

/** Envoy Gateway makes a Deployment and a Service for each Gateway, or for all of a class that merges them. */
export const ENVOY_GATEWAY_EDITS: ObjectEdits = {
  ...ANY_GATEWAY,
  '': { ...GONE, what: 'its Service is deleted, and the balancer with it; of merged Gateways only its ports go' },
  'metadata.name': { ...OTHER_NAME, file: ENVOY_SERVICE },
  'metadata.namespace': { ...OTHER_NAME, file: ENVOY_SERVICE },
  'spec.gatewayClassName': deleted(
    'with a class of another controller the Service is deleted, and the balancer with it; with one of its own it stays unless Gateways are merged',
    ENVOY_TRANSLATOR,
  ),
  [LISTENERS]: {
    ...interrupted(
      'its port is taken out of the Service, unless another listener has it: clients are cut off; the rest stays',
      ENVOY_SERVICE,
    ),
    unless: [putIn(ADDED)],
  },
  [`${LISTENERS}.port`]: interrupted(
    'the port of the Service is another one with another node port; clients of the old number are refused',
    ENVOY_SERVICE,
  ),
  [`${LISTENERS}.protocol`]: interrupted(
    'proxies make the listener anew, and clients must follow; from UDP to another or back the Service has another port',
  ),
  'spec.addresses': {
    ...interrupted(
      'from v1.8.0 on the Gateway is not accepted with other types than IPAddress and Hostname: its Service stays, and its proxies serve nothing; before, they are not read',
      ENVOY_TRANSLATOR,
    ),
    unless: [
      where(
        'all are of these types',
        kept('they become externalIPs of the Service, and reserve no address of the balancer'),
        ({ before, after }) => [...list(before), ...list(after)].every(isUsualAddress),
      ),
    ],
  },
  'spec.infrastructure.annotations{}': [
    passedTo('metadata.annotations'),
    interrupted(
      'the proxies are rolled: open connections end when their pods have drained; the balancer stays',
      ENVOY_SERVICE,
    ),
  ],
  'spec.infrastructure.labels{}': interrupted(
    'the Service selects by it at once, and pods have it when they are rolled: no traffic until the first new one is ready',
    ENVOY_SERVICE,
  ),
  'spec.infrastructure.parametersRef.*': replaced(
    'the fields of the Service are those of the other EnvoyProxy: another name or type of it takes the balancer down',
    ENVOY_APPLY,
  ),
};

/** The AWS controller makes a balancer for each Gateway, found by tags with the name of the Gateway. */
export const AWS_GATEWAY_EDITS: ObjectEdits = {
  ...ANY_GATEWAY,
  '': {
    ...GONE,
    what: 'its balancer is taken down; with the attribute deletion_protection.enabled the Gateway stays in Terminating',
    file: AWS.file,
  },
  'metadata.name': { ...OTHER_NAME, file: AWS.file },
  'metadata.namespace': { ...OTHER_NAME, file: AWS.file },
  'metadata.finalizers': orphaned('without its finalizer a deletion does not wait for the balancer', AWS_CONTROLLER),
  'spec.gatewayClassName': orphaned(
    'with a class of another controller, or one that is not there, it is looked at no more: the balancer stays, and so does the finalizer',
    AWS_CONTROLLER,
  ),
  [LISTENERS]: {
    ...interrupted('its listener is deleted: clients are cut off; address and other listeners stay', AWS_LISTENERS),
    unless: [putIn(ADDED)],
  },
  [`${LISTENERS}.port`]: interrupted(
    'the listener of the old number is deleted before the new one is made; the DNS name stays',
    AWS_LISTENERS,
  ),
  [`${LISTENERS}.protocol`]: interrupted(
    'the listener is changed in place, and its target groups are replaced where the protocol of targets changes',
    AWS_LISTENER,
  ),
  'spec.addresses': ignored('not read: addresses of subnets are set in the LoadBalancerConfiguration'),
  'spec.infrastructure.annotations{}': kept('written on the TargetGroupBindings; the balancer is not told', AWS_GROUPS),
  'spec.infrastructure.labels{}': kept('written on the TargetGroupBindings; the balancer is not told', AWS_GROUPS),
  'spec.infrastructure.parametersRef.*': replaced(
    'the settings are those of the other LoadBalancerConfiguration: another scheme replaces the balancer',
    AWS_BALANCERS,
  ),
};

/** Listeners that join a Gateway from elsewhere. */
export const LISTENER_SET_EDITS: ObjectEdits = {
  ...ANY_LISTENERS,
  '': {
    ...interrupted('its ports leave the balancer: clients are cut off; address and other ports stay'),
    unless: [putIn(ADDED)],
  },
  'metadata.name': interrupted('routes that name it are served no more until they follow', SHARED_TYPES),
  'metadata.namespace': interrupted('routes that name it are served no more until they follow', SHARED_TYPES),
  'metadata.labels{}': kept('whether it may join is asked of its namespace'),
  'metadata.annotations{}': kept('not passed on'),
  'spec.listeners[]': kept('the order means nothing'),
  [LISTENERS]: {
    ...interrupted('its port leaves the balancer: clients are cut off; address and other ports stay'),
    unless: [putIn(ADDED)],
  },
  [`${LISTENERS}.port`]: interrupted('clients of the old number are refused; the address stays'),
  [`${LISTENERS}.protocol`]: interrupted('clients must follow; the address stays'),
  'spec.parentRef.*': replaced(
    'its listeners move to another Gateway: clients have to go to the address of that',
    'apis/v1/listenerset_types.go',
  ),
};

const DETACHED = replaced(
  'it moves to another Gateway or listener: clients have to go to another address or port',
  SHARED_TYPES,
);
const BACKENDS = interrupted('new connections go to the other pods; nowhere while none of them is ready', ROUTE_TYPES);
const OF_ROUTE = kept('the Gateway and its balancer have no part in it', ROUTE_TYPES);

/** Routes: they never touch the balancer, but decide whom clients reach through it. */
export const TCP_ROUTE_EDITS: ObjectEdits = {
  '': {
    ...interrupted('its clients are cut off; the balancer stays, and so do the ports of the Gateway', ROUTE_TYPES),
    unless: [putIn(kept('its clients are served; the balancer stays'))],
  },
  'metadata.name': interrupted(
    'the old route goes when it is deleted; two that want one port compete until then',
    ROUTE_TYPES,
  ),
  'metadata.namespace': interrupted('the Gateway may not let routes of the other namespace attach', SHARED_TYPES),
  'metadata.labels{}': OF_ROUTE,
  'metadata.annotations{}': OF_ROUTE,
  'spec.parentRefs': { ...DETACHED, unless: [IN_ANY_ORDER, onlyMore('it attaches to the other one as well')] },
  'spec.useDefaultGateways': DETACHED,
  'spec.rules': { ...BACKENDS, unless: [IN_ANY_ORDER] },
};

export const TLS_ROUTE_EDITS: ObjectEdits = {
  ...TCP_ROUTE_EDITS,
  'spec.hostnames': {
    ...interrupted(
      'clients of host names that are taken out are cut off; the balancer stays',
      'apis/v1/tlsroute_types.go',
    ),
    unless: [IN_ANY_ORDER, onlyMore('those that are listed already are served on')],
  },
};

const GRANT = interrupted(
  'what is no longer granted is served no more: clients of those routes are cut off',
  GRANT_TYPES,
);

export const REFERENCE_GRANT_EDITS: ObjectEdits = {
  '': { ...GRANT, unless: [putIn(kept('references that it grants are served', GRANT_TYPES))] },
  'metadata.name': kept('its name means nothing', GRANT_TYPES),
  'metadata.namespace': GRANT,
  'metadata.labels{}': kept('not read', GRANT_TYPES),
  'metadata.annotations{}': kept('not read', GRANT_TYPES),
  'spec.from': { ...GRANT, unless: [IN_ANY_ORDER, MORE_MAY] },
  'spec.to': { ...GRANT, unless: [IN_ANY_ORDER] },
};

export const GATEWAY_CLASS_EDITS: ObjectEdits = {
  '': {
    ...orphaned(
      'Gateways of it belong to no controller: what becomes of their balancers is up to the controller',
      CLASS_TYPES,
    ),
    unless: [putIn(kept('Gateways that name it are served'))],
  },
  'metadata.name': orphaned('Gateways that name the old one belong to no controller', CLASS_TYPES),
  'metadata.labels{}': kept('not passed on', CLASS_TYPES),
  'metadata.annotations{}': kept('not passed on', CLASS_TYPES),
  'spec.controllerName': refused('the API server does not let it change', CLASS_TYPES),
  'spec.description': kept('for people alone', CLASS_TYPES),
  'spec.parametersRef.*': {
    ...replaced(
      'all Gateways of it get the settings of the other object, such as another scheme or another name of the Service',
      ENVOY_APPLY,
    ),
    source: { ...ENVOY, file: ENVOY_APPLY },
  },
};

const ENVOY_SERVICE_PATH = 'spec.provider.kubernetes.envoyService';

/** The proxies are rolled; the balancer stays. */
const ROLLED: EditFact = interrupted(
  'the proxies are rolled where it reaches their pods: open connections end when these have drained; the balancer stays',
  ENVOY_SERVICE,
);

const MISSING = replaced(
  'Gateways get the defaults where it is of the class; where it is their own, proxies serve nothing, and before v1.7.0 their Services are deleted',
  ENVOY_TRANSLATOR,
);

/** The parameters of Envoy Gateway, of all Gateways that have them. */
export const ENVOY_PROXY_EDITS: ObjectEdits = {
  '': {
    ...MISSING,
    unless: [putIn(kept('nothing happens before a Gateway or class names it'))],
  },
  'metadata.name': MISSING,
  'metadata.namespace': MISSING,
  'metadata.labels{}': kept('not passed on'),
  'metadata.annotations{}': kept('not passed on'),
  'spec.*': ROLLED,
  'spec.mergeGateways': {
    ...replaced(
      'Services have other names: each Gateway, or all of the class, gets another balancer and address',
      ENVOY_TRANSLATOR,
    ),
    unless: [absentIs(false)],
  },
  'spec.mergeType': unknown(
    'what it takes of the parameters of the class changes: it can be any field of the Service',
    'internal/gatewayapi/envoyproxy_merge.go',
  ),
  'spec.ipFamily': passedTo('spec.ipFamilyPolicy'),
  'spec.provider.type': refused(
    'Envoy Gateway on Kubernetes makes no other proxies: what is there stays, and later edits wait behind it',
    ENVOY_SERVICE,
  ),
  'spec.telemetry.*': ROLLED,
  'spec.shutdown.*': ROLLED,
  [`${ENVOY_SERVICE_PATH}.name`]: replaced(
    'a Service of the other name is made, and the old one deleted: another balancer and address',
    ENVOY_APPLY,
  ),
  [`${ENVOY_SERVICE_PATH}.type`]: {
    ...passedTo('spec.type', { absent: 'LoadBalancer' }),
    unless: [absentIs('LoadBalancer')],
  },
  [`${ENVOY_SERVICE_PATH}.loadBalancerClass`]: passedTo('spec.loadBalancerClass'),
  [`${ENVOY_SERVICE_PATH}.allocateLoadBalancerNodePorts`]: passedTo('spec.allocateLoadBalancerNodePorts'),
  [`${ENVOY_SERVICE_PATH}.loadBalancerSourceRanges`]: passedTo('spec.loadBalancerSourceRanges'),
  [`${ENVOY_SERVICE_PATH}.loadBalancerIP`]: passedTo('spec.loadBalancerIP'),
  [`${ENVOY_SERVICE_PATH}.externalTrafficPolicy`]: {
    ...passedTo('spec.externalTrafficPolicy', { absent: 'Local' }),
    unless: [absentIs('Local')],
  },
  [`${ENVOY_SERVICE_PATH}.annotations{}`]: passedTo('metadata.annotations'),
  [`${ENVOY_SERVICE_PATH}.labels{}`]: kept('the labels of the Service change in place', ENVOY_SERVICE),
  [`${ENVOY_SERVICE_PATH}.patch.*`]: unknown('it can be any field of the Service, which says more', ENVOY_SERVICE),
};

/** The kinds of this room, and the parameters and policies of Envoy Gateway. */
export const EDITED_GATEWAY_KINDS: readonly EditedKind[] = [
  {
    kind: GATEWAY_KIND,
    group: GATEWAY_GROUP,
    who: 'gateway.envoyproxy.io/gatewayclass-controller',
    fields: GATEWAY_FIELDS,
    edits: ENVOY_GATEWAY_EDITS,
    source: ENVOY,
  },
  {
    kind: GATEWAY_KIND,
    group: GATEWAY_GROUP,
    who: 'gateway.k8s.aws/nlb',
    fields: GATEWAY_FIELDS,
    edits: AWS_GATEWAY_EDITS,
    source: AWS,
  },
  {
    kind: GATEWAY_CLASS_KIND,
    group: GATEWAY_GROUP,
    fields: GATEWAY_CLASS_FIELDS,
    edits: GATEWAY_CLASS_EDITS,
    source: API,
  },
  {
    kind: LISTENER_SET_KIND,
    group: GATEWAY_GROUP,
    isBinding: true,
    fields: LISTENER_SET_FIELDS,
    edits: LISTENER_SET_EDITS,
    source: API,
  },
  {
    kind: TCP_ROUTE_KIND,
    group: GATEWAY_GROUP,
    isBinding: true,
    fields: TCP_ROUTE_FIELDS,
    edits: TCP_ROUTE_EDITS,
    source: API,
  },
  {
    kind: TLS_ROUTE_KIND,
    group: GATEWAY_GROUP,
    isBinding: true,
    fields: TLS_ROUTE_FIELDS,
    edits: TLS_ROUTE_EDITS,
    source: API,
  },
  {
    kind: REFERENCE_GRANT_KIND,
    group: GATEWAY_GROUP,
    fields: REFERENCE_GRANT_FIELDS,
    edits: REFERENCE_GRANT_EDITS,
    source: API,
  },
  {
    kind: 'EnvoyProxy',
    group: 'gateway.envoyproxy.io',
    edits: ENVOY_PROXY_EDITS,
    source: { ...ENVOY, file: ENVOY_SERVICE },
  },
  ...EDITED_ENVOY_POLICIES,
];
