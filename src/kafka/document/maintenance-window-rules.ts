import type { Json } from '../../contract/json';
import { RECONCILIATION_SECONDS } from '../cluster/kafka-cluster.facts';
import { surprisingInDocument } from './document-says';
import { listAt } from './kafka-json';
import type { DocumentRule } from './kafka-rule';
import { quartzFault, shortWindow } from './quartz-cron';

const WINDOWS = 'spec.maintenanceTimeWindows';
const UTIL = 'operator-common/src/main/java/io/strimzi/operator/common/Util.java';

function windowsOf(kafka: Json): [window: string, place: string][] {
  return listAt(kafka, WINDOWS).flatMap((window, i): [string, string][] =>
    typeof window === 'string' ? [[window, `${WINDOWS}[${i}]`]] : [],
  );
}

/** When certificates may be renewed. */
export const MAINTENANCE_WINDOW_RULES: readonly DocumentRule[] = [
  surprisingInDocument(
    'kafka-maintenance-window',
    'maintenance windows are cron expressions of Quartz',
    UTIL,
    (kafka) =>
      windowsOf(kafka)
        .map(([window, place]) => ({ window, place, fault: quartzFault(window) }))
        .filter(({ fault }) => fault !== undefined)
        .map(({ window, place, fault }) => ({
          what: `${place}: ${fault}, so there is no window at all and certificates expire`,
          remedy: "write it like '* * 2-4 ? * SUN', in UTC",
          value: window,
        })),
  ),
  surprisingInDocument(
    'kafka-maintenance-window-short',
    'maintenance windows are open when the operator looks',
    UTIL,
    (kafka) =>
      windowsOf(kafka)
        .filter(([window]) => quartzFault(window) === undefined)
        .map(([window, place]) => ({ window, place, seconds: shortWindow(window) }))
        .filter(({ seconds }) => seconds !== undefined)
        .map(({ window, place, seconds }) => ({
          what: `${place} '${window}' is open for ${seconds === 1 ? 'one second' : `${seconds} seconds`} at a time, and the operator looks every ${RECONCILIATION_SECONDS} seconds`,
          remedy: 'write * for seconds and a range of minutes or hours',
          value: window,
        })),
  ),
];
