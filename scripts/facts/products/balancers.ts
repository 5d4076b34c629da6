import { METALLB_CATALOGUE, METALLB_SOURCE } from '../../../src/controllers/metal-lb/annotations';
import { constantFacts, flagFacts, moduleFacts } from '../read/go-facts';
import { GoSource } from '../read/go-source';
import { definitionFacts, rbacFacts, readAll, webhookFacts } from '../read/manifests';
import type { Product } from './product';
import { catalogueTable } from './tables';

// Balancers that run in the cluster.

export const METALLB: Product = {
  name: 'metallb',
  repository: METALLB_SOURCE.repository,
  tagOf: (version) => `v${version}`,
  versionOf: (checkout) => checkout.found('charts/metallb/Chart.yaml', /^appVersion: v?(\d+\.\d+\.\d+)/m),
  read: async (checkout) => {
    const keys = await GoSource.read(checkout, ['controller/service.go']);
    const programs = await GoSource.read(checkout, ['controller/main.go', 'speaker/main.go']);
    return [
      ...constantFacts(keys, 'annotation', /Annotation/),
      ...flagFacts(programs),
      ...readAll(checkout, ['config/rbac/role.yaml'], rbacFacts),
      ...readAll(checkout, ['config/webhook/manifests.yaml'], webhookFacts),
      ...readAll(checkout, checkout.below('config/crd/bases', /\.yaml$/), definitionFacts),
    ];
  },
  tables: [
    catalogueTable('src/controllers/metal-lb/annotations.ts', METALLB_CATALOGUE, [
      'metallb.io/',
      'metallb.universe.tf/',
    ]),
  ],
};

/** Kinds of Envoy Gateway that shared load balancers write or guard. */
const ENVOY_KINDS = ['EnvoyProxy', 'ClientTrafficPolicy', 'BackendTrafficPolicy', 'SecurityPolicy'];

export const ENVOY_GATEWAY: Product = {
  name: 'envoy-gateway',
  repository: 'envoyproxy/gateway',
  tagOf: (version) => `v${version}`,
  versionOf: (checkout) => checkout.found('VERSION', /^v?(\d+\.\d+\.\d+)/),
  read: async (checkout) => {
    const definitions = checkout.below('charts', /\/crds\/generated\/gateway\.envoyproxy\.io_\w+\.yaml$/);
    return [
      ...readAll(checkout, definitions, (documents, file) =>
        // pods and their containers are defined by Kubernetes
        definitionFacts(documents, file, { kinds: ENVOY_KINDS, depth: 3 }),
      ),
      ...moduleFacts(checkout, 'go.mod', ['sigs.k8s.io/gateway-api', 'github.com/envoyproxy/go-control-plane/envoy']),
    ];
  },
  tables: [],
};
