import type { Api, Body } from '../harness/api';
import { listenerSet, tcp } from './listeners';
import { attackerOf, type Scenario, strongOf } from './scenarios';
import { APPLY, type Attack, ENVOY, GATEWAY, pathOf } from './ways';

/** Kinds that tenants do not write, at every engine whose platform is known: by whoever may all in its namespace. */
export function reservedKinds(scenario: Scenario): Attack[] {
  const kinds: [string, string, string, string][] = [
    // HAProxy serves none
    ...(['v1', 'v1beta1'] as const)
      .filter(() => scenario !== 'haproxy')
      .map((version): [string, string, string, string] => [`${GATEWAY}/${version}`, 'gateways', 'Gateway', 'one']),
    ...(scenario === 'envoy'
      ? ([
          'clienttrafficpolicies ClientTrafficPolicy',
          'securitypolicies SecurityPolicy',
          'envoyextensionpolicies EnvoyExtensionPolicy',
          'envoypatchpolicies EnvoyPatchPolicy',
          'envoyproxies EnvoyProxy',
          'backends Backend',
          'backendtrafficpolicies BackendTrafficPolicy',
          'httproutefilters HTTPRouteFilter',
        ].map((line) => {
          const [plural, kind] = line.split(' ');
          return [`${ENVOY}/v1alpha1`, plural, kind, 'one'];
        }) as [string, string, string, string][])
      : []),
    ...(scenario === 'envoy' || scenario === 'nlb'
      ? ([
          [`${GATEWAY}/v1`, 'listenersets', 'ListenerSet', scenario],
          [`${GATEWAY}/v1`, 'tcproutes', 'TCPRoute', 'one'],
          [`${GATEWAY}/v1alpha2`, 'tcproutes', 'TCPRoute', 'one'],
          [`${GATEWAY}/v1`, 'udproutes', 'UDPRoute', 'one'],
          [`${GATEWAY}/v1alpha2`, 'udproutes', 'UDPRoute', 'one'],
        ] as [string, string, string, string][])
      : []),
    ...(scenario === 'envoy'
      ? ([[`${GATEWAY}/v1`, 'backendtlspolicies', 'BackendTLSPolicy', 'one']] as [string, string, string, string][])
      : []),
    // a balancer of AWS stands before the proxies as well
    ...(scenario === 'envoy' || scenario === 'haproxy'
      ? ([['elbv2.k8s.aws/v1beta1', 'targetgroupbindings', 'TargetGroupBinding', 'one']] as [
          string,
          string,
          string,
          string,
        ][])
      : []),
    ...(scenario === 'nlb'
      ? ([
          ['elbv2.k8s.aws/v1beta1', 'targetgroupbindings', 'TargetGroupBinding', 'one'],
          ['gateway.k8s.aws/v1', 'targetgroupconfigurations', 'TargetGroupConfiguration', 'one'],
          ['gateway.k8s.aws/v1', 'loadbalancerconfigurations', 'LoadBalancerConfiguration', 'one'],
          ['gateway.k8s.aws/v1', 'listenerruleconfigurations', 'ListenerRuleConfiguration', 'one'],
        ] as [string, string, string, string][])
      : []),
    ...(scenario === 'haproxy'
      ? ([
          ['ingress.v3.haproxy.org/v3', 'tcps', 'TCP', 'one'],
          ['ingress.v3.haproxy.org/v3', 'backends', 'Backend', 'one'],
          ['ingress.v3.haproxy.org/v3', 'frontends', 'Frontend', 'one'],
          ['ingress.v3.haproxy.org/v3', 'defaults', 'Defaults', 'one'],
          ['ingress.v3.haproxy.org/v3', 'globals', 'Global', 'one'],
        ] as [string, string, string, string][])
      : []),
  ];
  const who = strongOf(scenario);
  const specs: Record<string, Body> = {
    Gateway: { gatewayClassName: 'eg', listeners: [tcp(1)] },
    ListenerSet: listenerSet(scenario, 'x', [tcp(5432)]).spec,
    ClientTrafficPolicy: {
      targetRefs: [{ group: GATEWAY, kind: 'ListenerSet', name: scenario, sectionName: 'tcp-5432' }],
    },
    SecurityPolicy: {
      targetSelectors: [{ group: GATEWAY, kind: 'TCPRoute', matchLabels: {} }],
      authorization: { defaultAction: 'Allow' },
    },
    BackendTrafficPolicy: {
      targetSelectors: [{ group: GATEWAY, kind: 'TCPRoute', matchLabels: { a: 'b' } }],
      mergeType: 'StrategicMerge',
      connection: { bufferLimit: '4Gi' },
    },
    EnvoyExtensionPolicy: { targetRefs: [{ group: GATEWAY, kind: 'TCPRoute', name: 'db-5432' }] },
    EnvoyPatchPolicy: {
      targetRef: { group: GATEWAY, kind: 'Gateway', name: scenario },
      type: 'JSONPatch',
      jsonPatches: [],
    },
    EnvoyProxy: {},
    BackendTLSPolicy: {
      targetRefs: [{ group: '', kind: 'Service', name: 'db' }],
      validation: { hostname: 'db.example.com', wellKnownCACertificates: 'System' },
    },
    Backend: { endpoints: [{ ip: { address: '10.1.2.3', port: 19_000 } }] },
    HTTPRouteFilter: {
      urlRewrite: { path: { type: 'ReplaceRegexMatch', replaceRegexMatch: { pattern: 'a', substitution: 'b' } } },
    },
    TCPRoute: {
      parentRefs: [{ group: GATEWAY, kind: 'ListenerSet', name: scenario }],
      rules: [{ backendRefs: [{ name: 'db', port: 5432 }] }],
    },
    UDPRoute: {
      parentRefs: [{ group: GATEWAY, kind: 'ListenerSet', name: scenario }],
      rules: [{ backendRefs: [{ name: 'db', port: 5432 }] }],
    },
  };
  return kinds.flatMap(([apiVersion, plural, kind, name]) => {
    const path = pathOf(apiVersion, plural, attackerOf(scenario));
    const object = { apiVersion, kind, metadata: { name }, spec: specs[kind] ?? {} };
    const made = { ...object, metadata: { name: `new-${name}` } };
    return [
      {
        what: `${who} creates ${kind} of ${apiVersion}`,
        scenario,
        who,
        act: (api: Api) => api.call('POST', `${path}?dryRun=All`, made),
      },
      {
        what: `${who} generates ${kind} of ${apiVersion}`,
        scenario,
        who,
        act: (api: Api) => api.call('POST', `${path}?dryRun=All`, { ...object, metadata: { generateName: 'n-' } }),
      },
      {
        what: `${who} applies ${kind} of ${apiVersion}`,
        scenario,
        who,
        act: (api: Api) =>
          api.call('PATCH', `${path}/new-${name}?dryRun=All&force=true&fieldManager=kustomize-controller`, made, APPLY),
      },
      {
        what: `${who} deletes every ${kind} of ${apiVersion}`,
        scenario,
        who,
        harmless: MADE.includes(kind) ? undefined : 'there is none, and each is asked for by itself',
        act: (api: Api) => api.call('DELETE', `${path}?dryRun=All`),
      },
    ];
  });
}

/** Kinds of which the platform has made an object for the tenant. */
const MADE = ['ListenerSet', 'TCPRoute', 'ClientTrafficPolicy', 'TargetGroupConfiguration', 'TCP'];
