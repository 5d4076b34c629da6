// `cdk8s synth` over the example apps, then what was decided for every Service, cluster by cluster.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { main } from '../src/checks/main';

const dist = join('examples', 'dist');

/** The clusters of the examples, by the beginning of their files, and the controllers that run in each. */
const clusters: Record<string, string> = {
  eks: 'aws-load-balancer-controller,cloud-provider-aws',
  aks: 'cloud-provider-azure',
  gke: 'gke',
  hetzner: 'hcloud-cloud-controller-manager',
  metal: 'metallb',
  kafka: 'aws-load-balancer-controller,cloud-provider-aws',
  tenants: 'aws-load-balancer-controller,cloud-provider-aws',
  platform: 'aws-load-balancer-controller,cloud-provider-aws',
};

const app = 'tsx --tsconfig tsconfig.scripts.json examples/main.ts';
execFileSync('npx', ['cdk8s', 'synth', '--check-upgrade=false', '--app', app, '--output', dist], { stdio: 'inherit' });

for (const [cluster, controllers] of Object.entries(clusters)) {
  const files = readdirSync(dist).filter((file) => file.startsWith(cluster));
  const args = ['list', ...files.sort().map((file) => join(dist, file)), '--controllers', controllers];
  process.stdout.write(`\n$ cdk8s-load-balancers list ${dist}/${cluster}* --controllers ${controllers}\n\n`);
  main([process.execPath, 'cdk8s-load-balancers', ...args]);
}
