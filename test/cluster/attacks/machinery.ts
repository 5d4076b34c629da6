import { attackerOf, otherOf, type Scenario, strongOf, tenantOf } from './scenarios';
import { type Attack, MERGE } from './ways';

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
