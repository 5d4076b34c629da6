import type { Api, Body } from '../../real/api';
import { listenerSet, tcp } from './gateways';
import {
  APPLY,
  type Attack,
  attackerOf,
  ENVOY,
  GATEWAY,
  MERGE,
  otherOf,
  pathOf,
  type Scenario,
  strongOf,
  tenantOf,
} from './scenarios';

export function machinery(scenario: Scenario): Attack[] {
  const [tenant, strong] = [tenantOf(scenario), strongOf(scenario)];
  const infra = `infra-${scenario}`;
  const rbac = 'rbac.authorization.k8s.io/v1';
  const call = (
    who: string,
    what: string,
    method: string,
    path: string,
    body?: unknown,
    type?: string,
    harmless?: string,
  ): Attack => ({ what: `${who} ${what}`, scenario, who, harmless, act: (api) => api.call(method, path, body, type) });
  const namespace = `/api/v1/namespaces/${attackerOf(scenario)}`;
  return [
    ...['suspended'].flatMap((label) => [
      call(
        tenant,
        'lifts its suspension',
        'PATCH',
        `${namespace}?dryRun=All`,
        { metadata: { labels: { [`cdk8s-load-balancers/${label}`]: null } } },
        MERGE,
      ),
      call(
        tenant,
        'suspends another',
        'PATCH',
        `/api/v1/namespaces/${otherOf(scenario)}?dryRun=All`,
        { metadata: { labels: { [`cdk8s-load-balancers/${label}`]: 'true' } } },
        MERGE,
      ),
      call(
        strong,
        'suspends another',
        'PATCH',
        `/api/v1/namespaces/${otherOf(scenario)}?dryRun=All`,
        { metadata: { labels: { [`cdk8s-load-balancers/${label}`]: 'true' } } },
        MERGE,
      ),
    ]),
    call(
      tenant,
      'leaves the label of tenants by its status',
      'PATCH',
      `${namespace}/status?dryRun=All`,
      { metadata: { labels: { scenario: null } } },
      MERGE,
    ),
    ...['', '/status', '/finalize'].flatMap((below) =>
      [tenant, strong].map(
        (who): Attack => ({
          what: `${who} leaves the tenants${below && ` by ${below}`}`,
          scenario,
          who,
          act: async (api, admin) => {
            const now = await admin.call('GET', namespace);
            return api.call('PUT', `${namespace}${below}?dryRun=All`, {
              ...now,
              metadata: { ...now.metadata, labels: {} },
            });
          },
        }),
      ),
    ),
    call(tenant, 'finalizes its namespace', 'PUT', `${namespace}/finalize?dryRun=All`, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: attackerOf(scenario) },
    }),
    call(tenant, 'makes a namespace', 'POST', '/api/v1/namespaces?dryRun=All', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'mine' },
    }),
    call(
      tenant,
      'reads the configuration of the hook',
      'GET',
      `/api/v1/namespaces/${infra}/configmaps/${scenario}-run`,
    ),
    call(
      tenant,
      'writes the configuration of the hook',
      'PATCH',
      `/api/v1/namespaces/${infra}/configmaps/${scenario}-run?dryRun=All`,
      { data: { x: 'y' } },
      MERGE,
    ),
    call(
      tenant,
      'writes the configuration of the watch',
      'PATCH',
      `/api/v1/namespaces/${infra}/configmaps/${scenario}-watch?dryRun=All`,
      { data: { x: 'y' } },
      MERGE,
    ),
    call(
      tenant,
      'asks for a token of the controller',
      'POST',
      '/api/v1/namespaces/metacontroller/serviceaccounts/metacontroller/token',
      { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
    ),
    call(
      tenant,
      'asks for a token of the watch',
      'POST',
      `/api/v1/namespaces/${infra}/serviceaccounts/${scenario}-watch/token`,
      { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
    ),
    call(
      tenant,
      'binds itself to the role of the controller',
      'POST',
      `/apis/${rbac}/namespaces/${attackerOf(scenario)}/rolebindings?dryRun=All`,
      {
        apiVersion: rbac,
        kind: 'RoleBinding',
        metadata: { name: 'mine' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: `${scenario}-run` },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: tenant }],
      },
    ),
    call(
      tenant,
      'changes the role of the watch',
      'PATCH',
      `/apis/${rbac}/clusterroles/${scenario}-watch?dryRun=All`,
      { rules: [] },
      MERGE,
    ),
    call(
      tenant,
      'changes the DecoratorController',
      'PATCH',
      `/apis/metacontroller.k8s.io/v1alpha1/decoratorcontrollers/${scenario}-run?dryRun=All`,
      { spec: {} },
      MERGE,
    ),
    call(
      strong,
      'changes the DecoratorController',
      'PATCH',
      `/apis/metacontroller.k8s.io/v1alpha1/decoratorcontrollers/${scenario}-run?dryRun=All`,
      { spec: {} },
      MERGE,
    ),
    call(
      tenant,
      'deletes the policy',
      'DELETE',
      `/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/${scenario}-guard?dryRun=All`,
    ),
    call(
      strong,
      'unbinds the policy',
      'DELETE',
      `/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings/${scenario}-guard?dryRun=All`,
    ),
    call(
      tenant,
      'raises its quota',
      'PATCH',
      `${namespace}/resourcequotas/${scenario}-guard?dryRun=All`,
      { spec: { hard: { 'services.loadbalancers': '99' } } },
      MERGE,
    ),
    call(
      tenant,
      'empties the use of its quota',
      'PATCH',
      `${namespace}/resourcequotas/${scenario}-guard/status?dryRun=All`,
      { status: { used: {} } },
      MERGE,
    ),
    call(tenant, 'writes an event in the name of the watch', 'POST', `${namespace}/events?dryRun=All`, {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'x' },
      involvedObject: { kind: 'Service', namespace: attackerOf(scenario), name: 'db' },
      source: { component: `${scenario}-watch` },
    }),
    call(tenant, 'writes an event to another', 'POST', `/api/v1/namespaces/${otherOf(scenario)}/events?dryRun=All`, {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'x' },
      involvedObject: { kind: 'Service', namespace: otherOf(scenario), name: 'db' },
    }),
    call(
      tenant,
      'leads its Service to a pod of another',
      'POST',
      `/apis/discovery.k8s.io/v1/namespaces/${attackerOf(scenario)}/endpointslices?dryRun=All`,
      {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: { name: 'x', labels: { 'kubernetes.io/service-name': 'db' } },
        addressType: 'IPv4',
        endpoints: [{ addresses: ['10.1.2.3'] }],
        ports: [{ port: 1 }],
      },
    ),
    call(tenant, 'leads its Service away by old endpoints', 'POST', `${namespace}/endpoints?dryRun=All`, {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { name: 'x' },
      subsets: [{ addresses: [{ ip: '10.1.2.3' }], ports: [{ port: 1 }] }],
    }),
    call(
      tenant,
      'says where its pod is',
      'PATCH',
      `${namespace}/pods/none/status?dryRun=All`,
      { status: { podIP: '10.1.2.3' } },
      MERGE,
    ),
    call(tenant, 'evicts a proxy', 'POST', '/api/v1/namespaces/envoy-gateway-system/pods/any/eviction?dryRun=All', {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: 'any' },
    }),
    call(
      tenant,
      'takes the lease of the controller',
      'POST',
      '/apis/coordination.k8s.io/v1/namespaces/metacontroller/leases?dryRun=All',
      { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'metacontroller' } },
    ),
    call(
      tenant,
      'makes an Ingress of the shared class',
      'POST',
      `/apis/networking.k8s.io/v1/namespaces/${attackerOf(scenario)}/ingresses?dryRun=All`,
      {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'Ingress',
        metadata: { name: 'x' },
        spec: {
          ingressClassName: `${scenario}-haproxy`,
          defaultBackend: { service: { name: 'db', port: { number: 1 } } },
        },
      },
    ),
    call(
      tenant,
      'makes an Ingress without a class',
      'POST',
      `/apis/networking.k8s.io/v1/namespaces/${attackerOf(scenario)}/ingresses?dryRun=All`,
      {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'Ingress',
        metadata: { name: 'x' },
        spec: { defaultBackend: { service: { name: 'db', port: { number: 1 } } } },
      },
    ),
    call(
      tenant,
      'makes an Ingress of two classes',
      'POST',
      `/apis/networking.k8s.io/v1/namespaces/${attackerOf(scenario)}/ingresses?dryRun=All`,
      {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'Ingress',
        metadata: { name: 'x', annotations: { 'kubernetes.io/ingress.class': 'alb' } },
        spec: { ingressClassName: 'other', defaultBackend: { service: { name: 'db', port: { number: 1 } } } },
      },
    ),
  ];
}

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
