import { schemeSetIn } from '../../contract/annotation-catalogue';
import type { Finding } from '../../contract/finding';
import { isSet, type Json } from '../../contract/json';
import { LoadBalancerScheme } from '../../contract/load-balancer-scheme';
import { shown } from '../../contract/printable';
import { at, listAt, listenersOf, mapAt, pointerTo, textAt, titleOf } from '../../kafka/operator/kafka-json';
import { CLUSTER_LABEL, PLAIN_TEXT_TYPES, POOL_MODEL } from '../../kafka/strimzi/strimzi.facts';

import { knownKinds } from '../../rules/controller-definition';
import type { Rule } from '../../rules/rule';
import type { ObjectContext } from '../../rules/rule-context';

const LISTENERS = {
  ...POOL_MODEL,
  file: 'cluster-operator/src/main/java/io/strimzi/operator/cluster/model/ListenersUtils.java',
};

const SERVICE_TEMPLATES = ['externalBootstrapService', 'perPodService'];

const TERMS = [
  'podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution',
  'podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution',
  'podAffinity.requiredDuringSchedulingIgnoredDuringExecution',
  'podAffinity.preferredDuringSchedulingIgnoredDuringExecution',
];

interface Selector {
  readonly selector: Json;
  readonly at: string;
}

function selectorsIn(kafka: Json): Selector[] {
  const root = 'spec.kafka.template.pod';
  const affinity = `${root}.affinity`;
  const terms = TERMS.flatMap((path) =>
    listAt<Json>(kafka, `${affinity}.${path}`).map((term, i) => {
      const isWeighed = isSet(at(term, 'podAffinityTerm'));
      const place = `/${`${affinity}.${path}`.replaceAll('.', '/')}/${i}${isWeighed ? '/podAffinityTerm' : ''}`;
      return {
        selector: mapAt(term, isWeighed ? 'podAffinityTerm.labelSelector' : 'labelSelector'),
        at: `${place}/labelSelector`,
      };
    }),
  );
  const spreads = listAt<Json>(kafka, `${root}.topologySpreadConstraints`).map((spread, i) => ({
    selector: mapAt(spread, 'labelSelector'),
    at: `/${root.replaceAll('.', '/')}/topologySpreadConstraints/${i}/labelSelector`,
  }));
  return [...terms, ...spreads];
}

/** The clusters whose pods a selector takes, by the label that the operator gives them; nothing where it does not ask for one. */
function clustersOf({ selector, at: place }: Selector): { names: unknown[]; at: string } | undefined {
  const label = mapAt(selector, 'matchLabels')[CLUSTER_LABEL];
  if (label !== undefined) {
    return { names: [label], at: `${place}/matchLabels/${CLUSTER_LABEL.replaceAll('/', '~1')}` };
  }
  const expressions = listAt<Json>(selector, 'matchExpressions');
  const i = expressions.findIndex((one) => at(one, 'key') === CLUSTER_LABEL && at(one, 'operator') === 'In');
  return i < 0 ? undefined : { names: listAt(expressions[i], 'values'), at: `${place}/matchExpressions/${i}/values` };
}

function isInternal(kafka: Json, listener: Json): boolean {
  const maps = [
    mapAt(listener, 'configuration.bootstrap.annotations'),
    ...SERVICE_TEMPLATES.map((name) => mapAt(kafka, `spec.kafka.template.${name}.metadata.annotations`)),
  ];
  return maps.some((annotations) =>
    knownKinds().some(({ catalogue }) => schemeSetIn(annotations, catalogue)?.scheme === LoadBalancerScheme.INTERNAL),
  );
}

function ofBalanced(kafka: Json, look: (listener: Json) => Finding | undefined): Finding[] {
  return listenersOf(kafka).flatMap((listener) => {
    const found = look(listener);
    return found
      ? [{ ...found, what: `${titleOf(listener)}: ${found.what}`, at: pointerTo(kafka, listener) + (found.at ?? '') }]
      : [];
  });
}

export const WRITTEN_KAFKA_RULES: readonly Rule<ObjectContext>[] = [
  {
    id: 'kafka-affinity-cluster',
    severity: 'warning',
    says: 'affinity selects pods of another cluster',
    source: { ...POOL_MODEL, file: 'operator-common/src/main/java/io/strimzi/operator/common/model/Labels.java' },
    on: ['spec.kafka'],
    judge(kafka) {
      const name = textAt(kafka, 'metadata.name');
      const selected = selectorsIn(kafka).flatMap((one) => clustersOf(one) ?? []);
      // brokers may as well keep away from those of another cluster
      return name === undefined || selected.some(({ names }) => names.includes(name))
        ? undefined
        : selected.map(({ names, at: place }) => ({
            what: `pods with ${CLUSTER_LABEL} ${names.map(shown).join(', ')} are selected, and this cluster is '${name}', so its brokers may share a node`,
            remedy: `write '${name}', or remove the term`,
            value: names.join(','),
            at: place,
          }));
    },
  },
  {
    id: 'listener-unencrypted',
    severity: 'warning',
    says: 'unencrypted listener that is reached from outside',
    source: LISTENERS,
    on: ['spec.kafka'],
    judge: (kafka) =>
      ofBalanced(kafka, (listener) =>
        PLAIN_TEXT_TYPES.includes(listener.type) &&
        listener.tls === false &&
        !isInternal(kafka, listener) &&
        textAt(listener, 'authentication.type') === undefined
          ? {
              what: `tls is false on a listener of type ${listener.type}, so every message can be read and changed on the way`,
              remedy: 'set tls: true, or accept it where something else encrypts',
              value: 'false',
              at: '/tls',
            }
          : undefined,
      ),
  },
];
