import type { Json } from '../../contract/json';
import { POD_TEMPLATE_HASH_LABEL } from '../../contract/kubernetes.facts';
import { spreadPods } from '../../contract/placed-pod';
import { PodSpread } from '../../contract/pod-spread';
import { reaches } from '../../kafka/strimzi/reaches';
import { rowsOf } from './in-version';
import { imageOf, operatorEnv } from './operator-env';
import type { OperatorSettings } from './operator-settings';
import { CONTAINER, IMAGES, LOGGERS, LOGGING, POD_KIND, POD_LABELS, RESTRICTED_SINCE } from './strimzi-operator.facts';

/** The labels by which the operator's pods are known. */
export function podLabels(name: string): Record<string, string> {
  return { [POD_LABELS.name]: name, [POD_LABELS.kind]: POD_KIND };
}

function probe(path: string): Json {
  return {
    httpGet: { path, port: CONTAINER.port.name },
    initialDelaySeconds: CONTAINER.delaySeconds,
    periodSeconds: CONTAINER.periodSeconds,
  };
}

function resources({ props }: OperatorSettings): Json {
  const { limits, requests } = CONTAINER.resources;
  const { cpuLimit = limits.cpu, cpuRequest = requests.cpu, memory } = props.resources ?? {};
  return {
    limits: { cpu: cpuLimit, memory: memory?.asString() ?? limits.memory },
    requests: { cpu: cpuRequest, memory: memory?.asString() ?? requests.memory },
  };
}

const RESTRICTED = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  readOnlyRootFilesystem: true,
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
};

/** What a ServiceAccount's token volume holds where Kubernetes adds it by itself. */
const TOKEN = {
  defaultMode: 420,
  sources: [
    { serviceAccountToken: { path: 'token', expirationSeconds: 3600 } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    {
      downwardAPI: {
        items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
      },
    },
  ],
};

/** Pods that stand by for each other stand by on other nodes, where that is possible. */
function spread(pod: Json, { name, props, replicas }: OperatorSettings): Json {
  const { nodePool, spread: said = PodSpread.PREFERRED } = props;
  if (replicas > 1 && said !== PodSpread.NONE) {
    const hasZones = nodePool === undefined || nodePool.zones.length > 1;
    spreadPods(pod, {
      spread: said,
      matchLabels: podLabels(name),
      generation: POD_TEMPLATE_HASH_LABEL,
      zoneSpread: hasZones ? PodSpread.PREFERRED : PodSpread.NONE,
    });
  }
  return pod;
}

/** The `spec` of the Deployment. */
export function deploymentSpec(settings: OperatorSettings): Json {
  const { name, props, replicas, version } = settings;
  const { mounts } = CONTAINER;
  const isRestricted = reaches(version, RESTRICTED_SINCE);
  const labels = podLabels(name);
  return {
    replicas,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: spread(
        {
          serviceAccountName: name,
          ...(isRestricted && { automountServiceAccountToken: false }),
          ...(props.imagePullSecrets && {
            imagePullSecrets: props.imagePullSecrets.map((secret) => ({ name: secret })),
          }),
          volumes: [
            ...(isRestricted ? [{ name: mounts.token.name, projected: TOKEN }] : []),
            { name: mounts.tmp.name, emptyDir: { medium: 'Memory', sizeLimit: CONTAINER.tmpSize } },
            { name: mounts.config.name, configMap: { name } },
          ],
          containers: [
            {
              name,
              image: imageOf(settings, IMAGES.operator),
              ports: [{ ...CONTAINER.port }],
              args: [...CONTAINER.args],
              volumeMounts: [
                ...(isRestricted ? [{ ...mounts.token, readOnly: true }] : []),
                { ...mounts.tmp },
                { ...mounts.config },
              ],
              env: operatorEnv(settings),
              livenessProbe: probe(CONTAINER.paths.liveness),
              readinessProbe: probe(CONTAINER.paths.readiness),
              ...(isRestricted && { securityContext: RESTRICTED }),
              resources: resources(settings),
            },
          ],
        },
        settings,
      ),
    },
  };
}

/** The configuration of Log4j 2 in the ConfigMap. */
export function loggingData({ version }: OperatorSettings): Record<string, string> {
  const { key, level, levelVariable, monitorSeconds, pattern } = LOGGING;
  const lines = [
    'name = COConfig',
    `monitorInterval = ${monitorSeconds}`,
    '',
    'appender.console.type = Console',
    'appender.console.name = STDOUT',
    'appender.console.layout.type = PatternLayout',
    `appender.console.layout.pattern = ${pattern}`,
    '',
    `rootLogger.level = \${env:${levelVariable}:-${level}}`,
    'rootLogger.appenderRefs = stdout',
    'rootLogger.appenderRef.console.ref = STDOUT',
    ...rowsOf(version, LOGGERS).flatMap((row) => [
      '',
      `logger.${row.id}.name = ${row.logger}`,
      `logger.${row.id}.level = ${row.level}`,
    ]),
  ];
  return { [key]: lines.map((line) => `${line}\n`).join('') };
}
