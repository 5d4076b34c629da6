import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENVOY_GATEWAY_CONTROLLER, ENVOY_GATEWAY_NAMESPACE } from '../../../src/tenancy/engines/envoy-gateway/facts';
import type { ControlPlane } from '../../cluster/harness/control-plane';
import { Program } from '../../cluster/harness/program';
import { IN_CONTAINER } from './network';

/** Where its health is told, and where the proxies get their configuration. */
const HEALTH = 'http://127.0.0.1:8081/readyz';

/** As its chart has it, but alone, and without the webhook that tells proxies their zone. */
const CONFIGURATION = {
  apiVersion: 'gateway.envoyproxy.io/v1alpha1',
  kind: 'EnvoyGateway',
  gateway: { controllerName: ENVOY_GATEWAY_CONTROLLER },
  logging: { level: { default: 'info' } },
  provider: {
    type: 'Kubernetes',
    kubernetes: { leaderElection: { disable: true }, proxyTopologyInjector: { disabled: true } },
  },
};

function binary(): string {
  const file = process.env.ENVOY_GATEWAY;
  if (!file) {
    throw new Error('there is no Envoy Gateway to start: run `npm run test:envoy`, which builds it');
  }
  return file;
}

/** The real Envoy Gateway, with certificates that it made. */
export async function startEnvoyGateway(plane: ControlPlane, more: object = {}): Promise<Program> {
  const folder = join(plane.folder, 'envoy-gateway');
  const [certificates, root] = ['certs', 'root'].map((each) => join(folder, each));
  for (const each of [certificates, root]) {
    mkdirSync(each, { recursive: true });
  }
  const env = { KUBECONFIG: plane.kubeconfig, ENVOY_GATEWAY_NAMESPACE };
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: ENVOY_GATEWAY_NAMESPACE } };
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'envoy-gateway', namespace: ENVOY_GATEWAY_NAMESPACE },
  };
  if (!(await plane.api.find(namespace))) {
    await plane.api.create(namespace);
  }
  if (!(await plane.api.find(secret))) {
    execFileSync(binary(), ['certgen', '--disable-topology-injector'], {
      env: { ...process.env, ...env },
      stdio: 'pipe',
    });
  }
  const { data } = await plane.api.get(secret);
  for (const [name, value] of Object.entries<string>(data)) {
    writeFileSync(join(certificates, name), Buffer.from(value, 'base64'));
  }
  const configuration = join(folder, 'configuration.yaml');
  writeFileSync(configuration, JSON.stringify({ ...CONFIGURATION, ...more }));
  return Program.start({
    name: 'envoy-gateway',
    command: 'unshare',
    args: [
      ...['--mount', IN_CONTAINER, root, `${certificates}=/certs`, `${binary()}=/programs/envoy-gateway`],
      ...[`${configuration}=/configuration.yaml`, `${plane.folder}=${plane.folder}`, '--'],
      ...['/programs/envoy-gateway', 'server', '--config-path', '/configuration.yaml'],
    ],
    folder,
    env,
    isReady: () =>
      fetch(HEALTH).then(
        ({ ok }) => ok,
        () => false,
      ),
  });
}
