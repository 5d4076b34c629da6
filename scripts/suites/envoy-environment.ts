import { lackOfOwnNetwork, OWN_NETWORK } from '../../test/envoy/harness/network';
import { builtBinary } from '../go/binary';
import { downloadedModules } from '../go/go-modules';
import { findHaproxy } from '../haproxy/find-haproxy';
import { envoyServer } from './envoy-server';
import { findPython } from './find-python';
import { Lack } from './jest-suite';
import { CONTROL_PLANE, CRDS, ENVOY_GATEWAY, mustHaveGo } from './programs';

const CRD_MODULES = ['github.com/envoyproxy/gateway', 'sigs.k8s.io/gateway-api'];

/**
 * What runs the engine: builds Envoy Gateway and a control plane, and fetches the server of Envoy.
 *
 * @throws Lack when something is missing for that.
 */
export async function envoyEnvironment(suite: string): Promise<NodeJS.ProcessEnv> {
  mustHaveGo(suite, [CONTROL_PLANE.folder, ENVOY_GATEWAY.folder, CRDS]);
  const found = findPython();
  if ('lack' in found) {
    throw new Lack(`${suite} needs ${found.lack}; install python3 and python3-venv`);
  }
  const lack = lackOfOwnNetwork();
  if (lack) {
    throw new Lack(`${suite} needs ${lack}; run it as root on Linux, with iproute2 and util-linux`);
  }
  return {
    CONTROL_PLANE: await builtBinary(CONTROL_PLANE),
    ENVOY_GATEWAY: await builtBinary(ENVOY_GATEWAY),
    ENVOY: envoyServer(found.python),
    CRD_MODULES: JSON.stringify(downloadedModules(CRDS, CRD_MODULES)),
    HAPROXY: findHaproxy(),
    [OWN_NETWORK]: '1',
  };
}
