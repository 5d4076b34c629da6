import { defined, type Json } from '../../contract/json';
import type { KafkaProbe } from './kafka-probe';
import { secondsIn } from './units-json';

/** A `livenessProbe`, `readinessProbe` or `startupProbe`. */
export function probeJson({ initialDelay, timeout, period, ...thresholds }: KafkaProbe): Json {
  return defined({
    initialDelaySeconds: secondsIn('initialDelay of a probe', initialDelay),
    timeoutSeconds: secondsIn('timeout of a probe', timeout),
    periodSeconds: secondsIn('period of a probe', period),
    ...thresholds,
  });
}
