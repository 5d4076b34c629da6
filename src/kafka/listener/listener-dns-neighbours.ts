import type { IConstruct } from 'constructs';
import type { Json } from '../../contract/late-rendering';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { SynthWatch } from '../../rules/synth-watch';
import type { IKafkaCluster } from '../cluster/i-kafka-cluster';
import type { KafkaDocument } from '../document/kafka-document';
import { listenerNamed } from '../document/kafka-json';
import { listenerContextOf } from './listener-context';
import { hasNames, type NamedService, namedServicesOf, namesAny, servicesOfListener } from './listener-dns';
import type { PlannedListener } from './listener-plan';
import { NOTHING_SAID } from './said-of-services';

// Names that external-dns keeps for several clusters of one chart.

interface Neighbour {
  readonly cluster: IKafkaCluster;
  readonly document: KafkaDocument;
}

/** By name and identifier, the first Service of a chart that has them. */
type Names = ReadonlyMap<string, Neighbour & { readonly service: NamedService }>;

/** By chart, the clusters with listeners that have names, in the order of their construction. */
const NEIGHBOURS = new WeakMap<IConstruct, Map<KafkaDocument, Neighbour>>();

/** What the clusters of a chart are called, for a moment of a synth. */
const NAMES = new WeakMap<object, Map<IConstruct, Names>>();

/** Remembers a cluster of a chart where a listener of it has names; most have none. */
export function rememberNames(cluster: IKafkaCluster, document: KafkaDocument, planned: PlannedListener): void {
  const raw = document.raw();
  const present = listenerNamed(raw, planned.name);
  if (!plansNames(planned) && !(present && namesAny(raw, present))) {
    return;
  }
  const ofChart = NEIGHBOURS.get(cluster.kafka.chart) ?? new Map<KafkaDocument, Neighbour>();
  NEIGHBOURS.set(cluster.kafka.chart, ofChart);
  ofChart.set(document, { cluster, document });
}

/** The names of a listener that another cluster of the chart has as well; told with each cluster but the first. */
export function namesOfAnother(cluster: IKafkaCluster, document: KafkaDocument, listener: Json): LoadBalancerFinding[] {
  const { chart } = cluster.kafka;
  const neighbours = NEIGHBOURS.get(chart);
  if (!neighbours?.has(document) || neighbours.size < 2) {
    return [];
  }
  const names = namesIn(chart);
  return servicesOfListener(document.now(), listener, listenerContextOf(cluster)).flatMap((service) =>
    service.names.flatMap((name) => {
      const first = names.get(keyOf(name, service));
      return !first || first.document === document
        ? []
        : [
            {
              ruleId: 'listener-dns-of-another',
              who: 'external-dns',
              what: `it is to lead ${name} to ${service.title}, and to ${first.service.title} of Kafka ${first.cluster.clusterName} as well`,
              wayOut: 'give each cluster names of its own',
              value: name,
            },
          ];
    }),
  );
}

function plansNames({ namesBrokers, bootstrapAnnotations, services = NOTHING_SAID }: PlannedListener): boolean {
  const { bootstrap, everyBroker, brokers } = services;
  const said = [bootstrap, everyBroker, ...brokers].map(({ annotations }) => annotations);
  return namesBrokers || [bootstrapAnnotations, ...said].some(hasNames);
}

function keyOf(name: string, { identifier }: NamedService): string {
  return `${name}\n${identifier}`;
}

/** While a synth looks at its objects one after the other, none of them changes. */
function namesIn(chart: IConstruct): Names {
  const moment = SynthWatch.find(chart)?.moment;
  const known = moment && (NAMES.get(moment) ?? new Map<IConstruct, Names>());
  const names = known?.get(chart) ?? collected(chart);
  if (moment && known) {
    known.set(chart, names);
    NAMES.set(moment, known);
  }
  return names;
}

function collected(chart: IConstruct): Names {
  const names = new Map<string, Neighbour & { readonly service: NamedService }>();
  for (const { cluster, document } of NEIGHBOURS.get(chart)?.values() ?? []) {
    for (const service of namedServicesOf(document.now(), listenerContextOf(cluster))) {
      for (const name of service.names) {
        const key = keyOf(name, service);
        names.set(key, names.get(key) ?? { cluster, document, service });
      }
    }
  }
  return names;
}
