import { errorRule } from '../fault';

export const WATCH_ENGINE = errorRule(
  'watch-engine',
  'the engine whose tenants are watched is one that is made here: of an existing Gateway it is not known what serves it',
);
export const WATCH_INTERVAL = errorRule('watch-interval', 'tenants are looked at every 5 to 300 seconds');
export const WATCH_PROPS = errorRule(
  'watch-props',
  'the image of what watches tenants is one, and the namespaces that may read its metrics are named',
);
export const WATCH_NOT_PLATFORM = errorRule(
  'watch-not-platform',
  'what watches tenants is named as platform where it must touch their ListenerSets, since a policy would refuse it',
);
