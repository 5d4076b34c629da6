import { benchPictures } from './bench-pictures';
import { lifePicture } from './life-picture';
import { cleanupStory, finalizersStory } from './life-stories';
import { pathPicture } from './path-picture';
import { sceneOf } from './path-scenes';
import { tenantsAfter, tenantsBefore, tenantsStory } from './tenants-picture';

/** Where the pictures are. */
export const PICTURES_FOLDER = 'docs/images';

/** Every picture that is drawn, by the name of its file. */
export function pictures(): Map<string, string> {
  return new Map([
    ...benchPictures(),
    ['tenants-before.svg', tenantsBefore()],
    ['tenants-after.svg', tenantsAfter()],
    ['story-tenants.svg', tenantsStory()],
    [
      'story-finalizers.svg',
      lifePicture('A finalizer that an operator strips, and one that it keeps', finalizersStory()),
    ],
    [
      'story-cleanup.svg',
      lifePicture(
        "Kubernetes' own finalizer: without it, with it, and where no controller takes it off",
        cleanupStory(),
      ),
    ],
    [
      'ip-targets.svg',
      pathPicture('Pods are the targets of the balancer', [
        { heading: 'Pods are the targets: NlbTargetType.IP', scene: sceneOf('web/ip-targets') },
      ]),
    ],
    [
      'instance-targets.svg',
      pathPicture('Nodes are the targets of the balancer', [
        {
          heading: 'Nodes are the targets: NlbTargetType.INSTANCE',
          scene: sceneOf('web/instance-targets'),
        },
      ]),
    ],
    [
      'story-traffic-policy.svg',
      pathPicture('The same Service with either traffic policy', [
        {
          heading: 'externalTrafficPolicy: Cluster, the default',
          scene: sceneOf('web/nginx-cluster'),
        },
        { heading: 'externalTrafficPolicy: Local', scene: sceneOf('web/nginx-local') },
      ]),
    ],
    [
      'story-node-pool.svg',
      pathPicture('Pods and targets on two node pools, and on one', [
        {
          heading: 'Before: pods on one pool, targets on another',
          scene: sceneOf('web/echo'),
          showsPools: true,
        },
        {
          heading: 'After: NodepoolPinnedService keeps both on pool edge',
          scene: sceneOf('pinned/echo'),
          showsPools: true,
        },
      ]),
    ],
  ]);
}
