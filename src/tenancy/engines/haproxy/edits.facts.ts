// What HAProxy's ingress controller does when the ports of a tenant change. haproxytech/kubernetes-ingress v3.2.11:
// pkg/handler/tcp-cr.go; what is said of connections was seen with this version running

import type { EditedKind } from '../../../rules/controller-definition';
import { HAPROXY_CLASS_ANNOTATION } from './facts';

const ON = 'those that are open go on in the old process';
const GONE = {
  interrupted: `HAProxy serves its port no more: new connections are refused; ${ON}`,
  unless: [{ if: 'added', kept: 'HAProxy serves its port as well' }],
} as const;
const OTHERS = { interrupted: `another HAProxy serves its ports, or none: new connections are refused; ${ON}` };

export const EDITED_HAPROXY_TCP: EditedKind = {
  kind: 'TCP',
  group: 'ingress.v3.haproxy.org',
  isBinding: true,
  source: { repository: 'haproxytech/kubernetes-ingress', version: 'v3.2.11', file: 'pkg/handler/tcp-cr.go' },
  edits: {
    '': GONE,
    'metadata.name': GONE,
    'metadata.namespace': GONE,
    'metadata.labels{}': { kept: 'not read' },
    'metadata.annotations{}': { kept: 'not read' },
    [`metadata.annotations{${HAPROXY_CLASS_ANNOTATION}}`]: OTHERS,
    'spec[]': { kept: 'the order means nothing' },
    'spec[name]': GONE,
    'spec[name].*': {
      kept: 'HAProxy is reloaded: new connections follow it; those that are open go on, and count toward no limit',
    },
    'spec[name].frontend.binds.*': {
      interrupted: `the port is another one: clients of the old one are refused; ${ON}`,
    },
    'spec[name].frontend.tcp_request_rule_list': {
      interrupted: `clients that the rules no longer admit are refused; ${ON}`,
    },
    'spec[name].service.*': { interrupted: `new connections go to the other pods; ${ON}` },
  },
};
