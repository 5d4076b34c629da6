import type { Body } from '../../real/api';
import {
  APPLY,
  type Attack,
  attackerOf,
  ENVOY,
  GATEWAY,
  JSON_PATCH,
  MERGE,
  otherOf,
  pathOf,
  type Scenario,
  servicesOf,
  strongOf,
  tenantOf,
} from './scenarios';

interface Call {
  readonly who: string;
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly type?: string;
  readonly harmless?: string;
}

/** Subresources, options and kinds that are no matter of Services and listeners at first sight. */
export function otherDoors(scenario: Scenario): Attack[] {
  const [tenant, strong] = [tenantOf(scenario), strongOf(scenario)];
  const [mine, theirs, infra] = [attackerOf(scenario), otherOf(scenario), `infra-${scenario}`];
  const published = `${servicesOf(scenario)}/published`;
  const options = (more: Body) => ({ apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'], ...more });
  const made = (apiVersion: string, kind: string, spec: Body, metadata: Body = {}): Body => ({
    apiVersion,
    kind,
    metadata: { name: 'mine', ...metadata },
    ...spec,
  });
  const at = (group: string, plural: string, namespace = mine) => `${pathOf(group, plural, namespace)}?dryRun=All`;
  const calls: Call[] = [
    {
      who: tenant,
      what: 'takes a finalizer away by a JSON patch that names its place',
      method: 'PATCH',
      path: `${published}?dryRun=All`,
      body: [{ op: 'remove', path: '/metadata/finalizers/0' }],
      type: JSON_PATCH,
    },
    {
      who: tenant,
      what: 'takes a finalizer away by a JSON patch that asks for it first',
      method: 'PATCH',
      path: `${published}?dryRun=All`,
      body: [
        { op: 'test', path: '/metadata/name', value: 'published' },
        { op: 'replace', path: '/metadata/finalizers', value: ['example.com/other'] },
      ],
      type: JSON_PATCH,
    },
    {
      who: tenant,
      what: 'changes a finalizer by a letter',
      method: 'PATCH',
      path: `${published}?dryRun=All`,
      body: [
        {
          op: 'replace',
          path: '/metadata/finalizers/0',
          value: `metacontroller.io/decoratorcontroller-${scenario}-run2`,
        },
      ],
      type: JSON_PATCH,
    },
    {
      who: tenant,
      what: 'deletes a finalizer by a strategic patch',
      method: 'PATCH',
      path: `${published}?dryRun=All`,
      body: {
        metadata: { '$deleteFromPrimitiveList/finalizers': [`metacontroller.io/decoratorcontroller-${scenario}-run`] },
      },
      type: 'application/strategic-merge-patch+json',
    },
    {
      who: tenant,
      what: 'replaces all metadata by a strategic patch',
      method: 'PATCH',
      path: `${published}?dryRun=All`,
      body: { metadata: { $patch: 'replace', name: 'published', namespace: mine } },
      type: 'application/strategic-merge-patch+json',
    },
    ...[tenant, strong].map(
      (who): Call => ({
        who,
        what: 'deletes a Service without reading it',
        method: 'DELETE',
        path: published,
        body: options({ ignoreStoreReadErrorWithClusterBreakingPotential: true }),
        harmless: 'what can be read is deleted as ever, and waits for its finalizers',
      }),
    ),
    {
      who: tenant,
      what: 'deletes a Service of another uid',
      method: 'DELETE',
      path: published,
      body: options({ preconditions: { uid: '11111111-1111-1111-1111-111111111111' } }),
    },
    {
      who: tenant,
      what: 'writes a status by apply',
      method: 'PATCH',
      path: `${published}/status?dryRun=All&force=true&fieldManager=metacontroller`,
      body: made(
        'v1',
        'Service',
        { status: { loadBalancer: { ingress: [{ ip: '10.1.2.3' }] } } },
        { name: 'published' },
      ),
      type: APPLY,
    },
    {
      who: tenant,
      what: 'writes its own condition of the publisher',
      method: 'PATCH',
      path: `${published}/status?dryRun=All`,
      body: {
        status: { conditions: [{ type: 'cdk8s-load-balancers/Shared', status: 'True', reason: 'X', message: '' }] },
      },
      type: MERGE,
    },
    { who: tenant, what: 'reads Services of another', method: 'GET', path: pathOf('v1', 'services', theirs) },
    { who: tenant, what: 'reads Services of all', method: 'GET', path: '/api/v1/services' },
    {
      who: tenant,
      what: 'reads the table of ports',
      method: 'GET',
      path: `${pathOf('v1', 'services', infra)}/${scenario}-run`,
    },
    {
      who: strong,
      what: 'reads who has which port',
      method: 'GET',
      path: `${pathOf('v1', 'configmaps', infra)}/${scenario}-endpoints`,
    },
    { who: tenant, what: 'watches listeners of all', method: 'GET', path: `/apis/${GATEWAY}/v1/listenersets?limit=1` },
    {
      who: strong,
      what: 'calls the hook by way of the API server',
      method: 'POST',
      path: `${pathOf('v1', 'services', infra)}/${scenario}-run/proxy/sync`,
      body: {},
    },
    { who: tenant, what: 'reads metrics of the API server', method: 'GET', path: '/metrics' },
    { who: tenant, what: 'reads the quota of another', method: 'GET', path: pathOf('v1', 'resourcequotas', theirs) },
    {
      who: tenant,
      what: 'asks for a certificate as the controller',
      method: 'POST',
      path: '/apis/certificates.k8s.io/v1/certificatesigningrequests?dryRun=All',
      body: made('certificates.k8s.io/v1', 'CertificateSigningRequest', {
        spec: { request: 'eA==', signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] },
      }),
    },
    ...['ValidatingAdmissionPolicy', 'MutatingAdmissionPolicy'].map((kind): Call => {
      const plural = kind.replace(/y$/, 'ies').toLowerCase();
      return {
        who: strong,
        what: `creates a ${kind}`,
        method: 'POST',
        path: `/apis/admissionregistration.k8s.io/v1/${plural}?dryRun=All`,
        body: made('admissionregistration.k8s.io/v1', kind, { spec: {} }),
      };
    }),
    ...(
      [
        ['networking.k8s.io/v1', 'ingressclasses', 'IngressClass', { spec: { controller: 'x/y' } }],
        ['networking.k8s.io/v1', 'servicecidrs', 'ServiceCIDR', { spec: { cidrs: ['10.99.0.0/16'] } }],
        ['networking.k8s.io/v1', 'ipaddresses', 'IPAddress', { spec: {} }],
        [`${GATEWAY}/v1`, 'gatewayclasses', 'GatewayClass', { spec: { controllerName: 'x.example.com/y' } }],
        ['scheduling.k8s.io/v1', 'priorityclasses', 'PriorityClass', { value: 1 }],
        ['apiregistration.k8s.io/v1', 'apiservices', 'APIService', { spec: {} }],
        ['apiextensions.k8s.io/v1', 'customresourcedefinitions', 'CustomResourceDefinition', { spec: {} }],
        ['flowcontrol.apiserver.k8s.io/v1', 'flowschemas', 'FlowSchema', { spec: {} }],
        ['storage.k8s.io/v1', 'volumeattachments', 'VolumeAttachment', { spec: {} }],
      ] as [string, string, string, Body][]
    ).map(
      ([apiVersion, plural, kind, spec]): Call => ({
        who: strong,
        what: `creates ${kind}`,
        method: 'POST',
        path: `/apis/${apiVersion}/${plural}?dryRun=All`,
        body: made(apiVersion, kind, spec),
      }),
    ),
    {
      who: tenant,
      what: 'moves the scale of a proxy',
      method: 'PATCH',
      path: '/apis/apps/v1/namespaces/envoy-gateway-system/deployments/envoy/scale?dryRun=All',
      body: { spec: { replicas: 0 } },
      type: MERGE,
    },
    {
      who: strong,
      what: 'binds a pod to a node by itself',
      method: 'POST',
      path: `${pathOf('v1', 'pods', 'envoy-gateway-system')}/x/binding?dryRun=All`,
      body: made('v1', 'Binding', { target: { kind: 'Node', name: 'x' } }),
    },
    {
      who: strong,
      what: 'opens the way to a proxy of others',
      method: 'POST',
      path: at('networking.k8s.io/v1', 'networkpolicies', 'envoy-gateway-system'),
      body: made('networking.k8s.io/v1', 'NetworkPolicy', { spec: { podSelector: {} } }),
    },
    {
      who: strong,
      what: 'holds the pods of the proxies in their place',
      method: 'POST',
      path: at('policy/v1', 'poddisruptionbudgets', 'envoy-gateway-system'),
      body: made('policy/v1', 'PodDisruptionBudget', { spec: { minAvailable: '100%', selector: {} } }),
    },
    ...['v1', 'v1beta1'].map(
      (version): Call => ({
        who: tenant,
        what: `grants itself what others have, by ReferenceGrant of ${version}`,
        method: 'POST',
        path: at(`${GATEWAY}/${version}`, 'referencegrants', theirs),
        body: made(`${GATEWAY}/${version}`, 'ReferenceGrant', {
          spec: { from: [{ group: GATEWAY, kind: 'TCPRoute', namespace: mine }], to: [{ group: '', kind: 'Service' }] },
        }),
      }),
    ),
    {
      who: strong,
      what: 'grants others its own Services',
      method: 'POST',
      path: at(`${GATEWAY}/v1`, 'referencegrants'),
      body: made(`${GATEWAY}/v1`, 'ReferenceGrant', {
        spec: { from: [{ group: GATEWAY, kind: 'TCPRoute', namespace: theirs }], to: [{ group: '', kind: 'Service' }] },
      }),
      harmless: 'routes to Services of others are refused, with a grant as well',
    },
    {
      who: tenant,
      what: 'writes itself the table of who has which port',
      method: 'POST',
      path: at('v1', 'configmaps'),
      body: made('v1', 'ConfigMap', { data: { x: 'y' } }, { name: `${scenario}-endpoints` }),
      harmless: 'that of the platform is in its namespace, and it is written for people',
    },
    {
      who: tenant,
      what: 'writes a lease of the name of the leader',
      method: 'POST',
      path: at('coordination.k8s.io/v1', 'leases'),
      body: made('coordination.k8s.io/v1', 'Lease', { spec: {} }, { name: 'metacontroller' }),
      harmless: 'that of the controller is in its namespace',
    },
    {
      who: tenant,
      what: 'has a pod with the labels of the controller that calls the hook',
      method: 'POST',
      path: at('v1', 'pods'),
      body: made(
        'v1',
        'Pod',
        { spec: { containers: [{ name: 'x', image: 'x' }] } },
        { labels: { 'app.kubernetes.io/name': 'metacontroller' } },
      ),
      harmless: 'the hook is called from the namespace of the controller alone',
    },
    ...(scenario === 'haproxy'
      ? []
      : [
          {
            who: strong,
            what: 'attaches an HTTPRoute to every default Gateway',
            method: 'POST',
            path: at(`${GATEWAY}/v1`, 'httproutes'),
            body: made(`${GATEWAY}/v1`, 'HTTPRoute', { spec: { useDefaultGateways: 'All', rules: [] } }),
            harmless: 'the shared Gateway is not a default one',
          },
          {
            who: strong,
            what: 'copies requests to a Service of another',
            method: 'POST',
            path: at(`${GATEWAY}/v1`, 'httproutes'),
            body: made(`${GATEWAY}/v1`, 'HTTPRoute', {
              spec: {
                parentRefs: [{ group: GATEWAY, kind: 'ListenerSet', name: scenario }],
                rules: [
                  {
                    filters: [
                      {
                        type: 'RequestMirror',
                        requestMirror: { backendRef: { name: 'db', port: 5433, namespace: theirs } },
                      },
                    ],
                    backendRefs: [{ name: 'db', port: 5432 }],
                  },
                ],
              },
            }),
          },
          {
            who: strong,
            what: 'copies requests to no Service, by GRPC',
            method: 'POST',
            path: at(`${GATEWAY}/v1`, 'grpcroutes'),
            body: made(`${GATEWAY}/v1`, 'GRPCRoute', {
              spec: {
                parentRefs: [{ group: GATEWAY, kind: 'ListenerSet', name: scenario }],
                rules: [
                  {
                    backendRefs: [
                      {
                        name: 'db',
                        port: 5432,
                        filters: [
                          {
                            type: 'RequestMirror',
                            requestMirror: { backendRef: { group: ENVOY, kind: 'Backend', name: 'x' } },
                          },
                        ],
                      },
                    ],
                  },
                ],
              },
            }),
          },
          {
            who: strong,
            what: 'attaches a route to a Service, as a mesh has it',
            method: 'POST',
            path: at(`${GATEWAY}/v1`, 'httproutes'),
            body: made(`${GATEWAY}/v1`, 'HTTPRoute', {
              spec: {
                parentRefs: [{ group: '', kind: 'Service', name: 'db', namespace: theirs }],
                rules: [{ backendRefs: [{ name: 'db', port: 5432 }] }],
              },
            }),
            harmless: 'no engine here is a mesh',
          },
        ]),
  ];
  return calls.map(
    ({ who, what, method, path, body, type, harmless }): Attack => ({
      what: `${who} ${what}`,
      scenario,
      who,
      harmless,
      act: (api) => api.call(method, path, body, type),
    }),
  );
}
