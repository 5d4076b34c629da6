// What Envoy Gateway does when a policy changes. envoyproxy/gateway v1.9.1: internal/gatewayapi and internal/xds/translator; what is
// said of connections was seen with this version and Envoy 1.39.1 running

import { interrupted, kept, unknown } from '../../contract/edit';
import { where } from '../../contract/edit-cases';
import { isMap, mapIn } from '../../contract/json';
import type { Citation } from '../../contract/kubernetes.facts';
import type { ObjectEdits } from '../../contract/object-edits';
import type { EditedKind } from '../../rules/edits-of-values';

const GROUP = 'gateway.envoyproxy.io';
const source: Citation = {
  repository: 'envoyproxy/gateway',
  version: 'v1.9.1',
  file: 'internal/xds/translator/listener.go',
};
const CLIENT_FILE = 'internal/gatewayapi/clienttrafficpolicy.go';
const SECURITY_FILE = 'internal/gatewayapi/securitypolicy.go';
const CLUSTER_FILE = 'internal/xds/translator/cluster.go';

const REMEDY = { remedy: 'make the change when clients can reconnect' };

/** Whatever is edited, more or less: Envoy makes the listener or its part anew. */
const DRAINED = {
  ...interrupted(
    'Envoy makes the listener anew: all connections that are open through it end after the drain time of the proxies, more is allowed or less; new ones are served at once',
  ),
  ...REMEDY,
};

const METADATA: ObjectEdits = {
  'metadata.name': DRAINED,
  'metadata.namespace': DRAINED,
  'metadata.labels{}': kept('not passed on'),
  'metadata.annotations{}': kept('not passed on'),
};

const HEADER = {
  ...interrupted(
    'clients without the header of the PROXY protocol are no longer served, or those with it; open connections end after the drain time of the proxies',
    CLIENT_FILE,
  ),
  ...REMEDY,
};

/** How clients connect, and how many of them. */
export const CLIENT_TRAFFIC_POLICY_EDITS: ObjectEdits = {
  '': DRAINED,
  ...METADATA,
  'spec.*': DRAINED,
  'spec.proxyProtocol.*': HEADER,
  'spec.enableProxyProtocol': HEADER,
};

/** Who may connect. */
export const SECURITY_POLICY_EDITS: ObjectEdits = {
  '': DRAINED,
  ...METADATA,
  'spec.*': DRAINED,
  'spec.authorization.*': {
    ...interrupted(
      'clients that are no longer admitted are refused; all connections that are open through the listener end after the drain time of the proxies, even where more clients are admitted',
      SECURITY_FILE,
    ),
    ...REMEDY,
  },
};

const LIMIT = kept('the limit of connections to pods is changed in place; those that are open stay', CLUSTER_FILE);
const NOT_READ = unknown('of this policy only its circuitBreaker was tried', CLUSTER_FILE);

function isLimitAlone(object: unknown): boolean {
  const others = Object.keys(mapIn(isMap(object) ? object : {}, 'spec')).filter(
    (key) => !['targetRef', 'targetRefs', 'targetSelectors', 'circuitBreaker'].includes(key),
  );
  return others.length === 0;
}

/** How Envoy connects to pods. */
export const BACKEND_TRAFFIC_POLICY_EDITS: ObjectEdits = {
  '': {
    ...NOT_READ,
    unless: [where('it says no more than circuitBreaker', LIMIT, ({ before, after }) => isLimitAlone(before ?? after))],
  },
  'metadata.name': kept('it is found by what it is about'),
  'metadata.namespace': NOT_READ,
  'metadata.labels{}': kept('not passed on'),
  'metadata.annotations{}': kept('not passed on'),
  'spec.*': NOT_READ,
  'spec.circuitBreaker.*': LIMIT,
};

const ANYTHING = unknown(
  'it can change anything of the configuration of Envoy',
  'internal/gatewayapi/envoypatchpolicy.go',
);

/** What is written into the configuration of Envoy itself. */
export const ENVOY_PATCH_POLICY_EDITS: ObjectEdits = {
  '': ANYTHING,
  'metadata.name': kept('its name means nothing'),
  'metadata.namespace': ANYTHING,
  'metadata.labels{}': kept('not passed on'),
  'metadata.annotations{}': kept('not passed on'),
  'spec.*': ANYTHING,
};

/** The policies of Envoy Gateway that are about Gateways, listeners and routes. */
export const EDITED_ENVOY_POLICIES: readonly EditedKind[] = [
  { kind: 'ClientTrafficPolicy', group: GROUP, edits: CLIENT_TRAFFIC_POLICY_EDITS, source },
  { kind: 'SecurityPolicy', group: GROUP, edits: SECURITY_POLICY_EDITS, source },
  { kind: 'BackendTrafficPolicy', group: GROUP, edits: BACKEND_TRAFFIC_POLICY_EDITS, source },
  { kind: 'EnvoyPatchPolicy', group: GROUP, edits: ENVOY_PATCH_POLICY_EDITS, source },
];
