// What of the installation of a controller says nothing of its balancers.

/** Flags of logs, metrics, profiles, elections and queues, without their dashes. */
export const HARMLESS_FLAGS =
  /^(v|vmodule|logtostderr|alsologtostderr|stderrthreshold|add-dir-header)$|^(log|logging|zap|metrics|health|profiling|pprof|leader-elect|leader-election|kube-api|sync-period)(-|$)|-(bind-addr|bind-port|bind-address)$|-max-concurrent-reconciles$/;

/** Fields of the release of a chart that decide how and where it is rolled out. */
export const HARMLESS_OF_RELEASES: ReadonlySet<string> = new Set([
  ...['interval', 'timeout', 'maxHistory', 'install', 'upgrade', 'rollback', 'test', 'uninstall', 'driftDetection'],
  ...['syncPolicy', 'project', 'info', 'revisionHistoryLimit', 'ignoreDifferences', 'dependsOn'],
]);
