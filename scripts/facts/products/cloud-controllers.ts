import { AWS_PREFIX } from '../../../src/controllers/aws/facts';
import { AWS_CLOUD_CATALOGUE, AWS_CLOUD_SOURCE } from '../../../src/controllers/aws-cloud-provider/annotations';
import { AZURE_CATALOGUE, AZURE_SOURCE } from '../../../src/controllers/azure-cloud-provider/annotations';
import { HCLOUD_CATALOGUE, HCLOUD_SOURCE } from '../../../src/controllers/hetzner-cloud/annotations';
import { CLOUD_CONTROLLER_CALLS } from '../../../src/identity/aws/aws-cloud-controller-manager.facts';
import type { Checkout } from '../checkout';
import { byKey, type Fact, Unreadable } from '../fact';
import { configFacts, constantFacts } from '../read/go-facts';
import { GoSource } from '../read/go-source';
import { actionFacts, rbacFacts, readAll, variableFacts } from '../read/manifests';
import type { Product } from './product';
import { catalogueTable } from './tables';

// The controller managers of clouds: annotations, their cloud config, and what they may do.

/** Policies of AWS that a page has, as blocks of JSON. */
function documentedActions(checkout: Checkout, file: string): Fact[] {
  const blocks = [...checkout.text(file).matchAll(/```\w*\s*\n([\s\S]*?)```/g)].map(([, text]) => text);
  const policies = blocks.filter((text) => text.includes('"Statement"'));
  return policies.flatMap((text) => {
    try {
      return actionFacts(JSON.parse(text), file);
    } catch (error) {
      throw new Unreadable(`${file} has a policy that is not JSON: ${(error as Error).message}`);
    }
  });
}

export const CLOUD_PROVIDER_AWS: Product = {
  name: 'cloud-provider-aws',
  repository: AWS_CLOUD_SOURCE.repository,
  tagOf: (version) => `v${version}`,
  versionOf: (checkout) => checkout.found('version.txt', /^v?(\d+\.\d+\.\d+)/),
  read: async (checkout) => {
    const provider = checkout.below('pkg/providers/v1', /\/(aws|tags|topology)\.go$/);
    const source = await GoSource.read(checkout, provider);
    const config = await GoSource.read(checkout, ['pkg/providers/v1/config/config.go']);
    const roles = checkout.below('examples/existing-cluster/base', /role[\w-]*\.yaml$/);
    return [
      ...constantFacts(source, 'annotation', /^ServiceAnnotation/),
      ...configFacts(config, /^CloudConfig$/),
      ...readAll(checkout, roles, rbacFacts),
      ...documentedActions(checkout, 'docs/prerequisites.md'),
    ];
  },
  tables: [
    catalogueTable('src/controllers/aws-cloud-provider/annotations.ts', AWS_CLOUD_CATALOGUE, [AWS_PREFIX]),
    {
      kind: 'action',
      place: 'src/identity/aws/aws-cloud-controller-manager.facts.yaml',
      rows: () => [
        ...byKey(
          CLOUD_CONTROLLER_CALLS.filter(({ documented }) => documented).flatMap(({ service, names }) =>
            names.map((name) => ({ kind: 'action' as const, name: `${service}:${name}` })),
          ),
        ).values(),
      ],
      nameOf: ({ name }) => name.replace(/^[\w.]+: /, ''),
    },
  ],
};

const AZURE_PREFIX = 'service.beta.kubernetes.io/azure-';

export const CLOUD_PROVIDER_AZURE: Product = {
  name: 'cloud-provider-azure',
  repository: AZURE_SOURCE.repository,
  tagOf: (version) => `v${version}`,
  versionOf: () => {
    throw new Unreadable(
      'no file of cloud-provider-azure has its version; name it with --release, and --against-release',
    );
  },
  read: async (checkout) => {
    const constants = await GoSource.read(checkout, ['pkg/consts/consts.go']);
    const config = await GoSource.read(checkout, checkout.below('pkg/provider/config', /\.go$/));
    return [
      ...constantFacts(constants, 'annotation', /^(ServiceAnnotation|PortAnnotation|HealthProbeAnnotation)/),
      ...configFacts(config, /Config$/, /json:"(\w+)/),
    ];
  },
  tables: [catalogueTable('src/controllers/azure-cloud-provider/annotations.ts', AZURE_CATALOGUE, [AZURE_PREFIX])],
};

export const HCLOUD: Product = {
  name: 'hcloud-cloud-controller-manager',
  repository: HCLOUD_SOURCE.repository,
  tagOf: (version) => `v${version}`,
  versionOf: (checkout) => checkout.found('chart/Chart.yaml', /^version: v?(\d+\.\d+\.\d+)/m),
  read: async (checkout, version) => {
    const keys = await GoSource.read(checkout, ['internal/annotation/load_balancer.go']);
    const config = await GoSource.read(checkout, checkout.below('internal/config', /\.go$/));
    return [
      ...constantFacts(keys, 'annotation', / Name$/),
      ...constantFacts(config, 'config', /^(hcloud|robot)/),
      ...readAll(checkout, ['deploy/ccm.yaml', 'deploy/ccm-networks.yaml'], (documents, file) =>
        variableFacts(documents, file, version),
      ),
    ];
  },
  tables: [
    catalogueTable('src/controllers/hetzner-cloud/annotations.ts', HCLOUD_CATALOGUE, ['load-balancer.hetzner.cloud/']),
  ],
};
