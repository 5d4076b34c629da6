// `cdk8s synth` over the example apps, then the load balancers of each cluster, the warnings of synth, and what to do next.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { main } from '../src/cli/main';

const dist = join('examples', 'dist');

/** The clusters of the examples, by the beginning of their files, and the controllers that run in each. */
const clusters: Record<string, string> = {
  eks: 'aws-load-balancer-controller,cloud-provider-aws',
  'aks-basic': 'cloud-provider-azure:basic',
  'aks-multiple': 'cloud-provider-azure:multipleStandard',
  'aks-standard': 'cloud-provider-azure',
  gke: 'gke',
  hetzner: 'hcloud-cloud-controller-manager',
  metal: 'metallb',
  kafka: 'aws-load-balancer-controller,cloud-provider-aws',
  tenants: 'aws-load-balancer-controller,cloud-provider-aws',
  platform: 'aws-load-balancer-controller,cloud-provider-aws',
};

const app = 'tsx --tsconfig tsconfig.scripts.json examples/main.ts';
const args = ['cdk8s', 'synth', '--check-upgrade=false', '--app', app, '--output', dist];
const synth = spawnSync('npx', args, { stdio: ['inherit', 'inherit', 'pipe'], encoding: 'utf8' });
if (synth.status !== 0) {
  process.stderr.write(synth.stderr);
  process.exit(synth.status ?? 1);
}

for (const [cluster, controllers] of Object.entries(clusters)) {
  const files = readdirSync(dist).filter((file) => file.startsWith(cluster));
  const paths = files.sort().map((file) => join(dist, file));
  process.stdout.write(`\n$ cdk8s-load-balancers list ${dist}/${cluster}* --controllers ${controllers}\n\n`);
  main([process.execPath, 'cdk8s-load-balancers', 'list', ...paths, '--controllers', controllers]);
}

// at the end, where it is read: between the names of files it is lost
process.stdout.write('\nWarnings of synth:\n\n');
process.stderr.write(synth.stderr);
process.stdout.write(`
Made: ${readdirSync(dist).length} files of ${Object.keys(clusters).length} clusters in ${dist}, from the apps in examples/*.ts.
Look at: ${join(dist, 'eks-ingest.k8s.yaml')}, with the class, the finalizer and the annotations of the AWS Load Balancer Controller.
Run next: npm run compile && npx cdk8s-load-balancers check examples/yaml, for YAML that was written by hand.
`);
