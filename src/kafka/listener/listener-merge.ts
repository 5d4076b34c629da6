import { reaches } from '../../contract/compare-versions';
import { namedInDns } from '../../contract/external-dns';
import { isMap, isSet, type Json, sorted, without } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { brokerField, textsIn } from '../document/kafka-json';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import { forBroker } from '../operator/operator-names';
import { PER_BROKER_TEMPLATES_SINCE } from '../strimzi/operator-services.facts';
import { advertisedHostOf } from './advertised-host';
import { bootstrapNames } from './bootstrap-names';
import { ListenerProvenance, type ListenerSources, type Wanted } from './listener-provenance';
import { isText, sameTexts, type Texts } from './listener-values';

/** What a listener is to hold, beside what the manifest has. */
export interface WantedListener extends ListenerSources {
  /** The listener as the props set it. */
  readonly props: Json;
  /** The listener as the plan sets it. */
  readonly plan: Json;
  /** What the plan sets for the Service of every broker. */
  readonly everyBroker: { readonly annotations: Texts; readonly labels: Texts };
  /**
   * Whether each broker's Service gets the advertised host as a DNS name, and bootstrap its alternative names where it has no
   * other.
   */
  readonly namesBrokers: boolean;
}

/** A listener with all that is wanted, and what was lost by that. */
export interface MergedListener {
  readonly json: Json;
  readonly contradictions: readonly LoadBalancerFinding[];
}

/** Merges what is wanted into the listener of the manifest. */
export function mergedListener(
  cluster: IKafkaCluster,
  wanted: WantedListener,
  present: Json | undefined,
): MergedListener {
  return new ListenerMerge(cluster, wanted, present);
}

/** The two kinds of metadata of a broker's Service, with the templates for all of them. */
const BROKER_METADATA = {
  annotations: 'perBrokerAnnotationsTemplate',
  labels: 'perBrokerLabelsTemplate',
} as const;

type MetadataField = keyof typeof BROKER_METADATA;

class ListenerMerge implements MergedListener {
  public readonly json: Json;
  private readonly provenance: ListenerProvenance;
  private readonly configuration: Json;
  private readonly props: Json;
  private readonly plan: Json;

  public constructor(
    private readonly cluster: IKafkaCluster,
    private readonly wanted: WantedListener,
    present: Json | undefined,
  ) {
    this.provenance = new ListenerProvenance(wanted);
    const { configuration: ofProps = {}, ...props } = wanted.props;
    const had = present?.configuration;
    this.props = ofProps;
    this.plan = wanted.plan.configuration ?? {};
    const listener = this.provenance.merged(present, { props: present ? props : { tls: true, ...props } }, '');
    this.configuration = this.mergedConfiguration(had);
    this.mergeEntries();
    this.mergeBootstrap();
    this.mergeBrokers('annotations');
    this.mergeBrokers('labels');
    const hasAny = Object.keys(this.configuration).length > 0;
    this.json = sorted({ ...listener, configuration: hasAny ? sorted(this.configuration) : had });
  }

  public get contradictions(): readonly LoadBalancerFinding[] {
    return this.provenance.contradictions;
  }

  private mergedConfiguration(had: unknown): Json {
    const { bootstrap: _bootstrap, brokers: _brokers, ...fields } = this.props;
    const { perBrokerAnnotationsTemplate: _annotations, perBrokerLabelsTemplate: _labels, ...props } = fields;
    const { bootstrap: _planned, finalizers = [], ...plan } = this.plan;
    const configuration = this.provenance.merged(had, { props, plan }, 'configuration.');
    if (isMap(had) && isSet(had.class) && plan.class === undefined) {
      this.provenance.contradict('configuration.class', 'manifest', had.class, 'plan', undefined);
    }
    this.provenance.extend(configuration, 'finalizers', finalizers, 'configuration.');
    return configuration;
  }

  private mergeBootstrap(): void {
    const { configuration, cluster, wanted } = this;
    const { alternativeNames: own = [], annotations, labels, ...props } = this.props.bootstrap ?? {};
    const { alternativeNames = [], ...metadata } = this.plan.bootstrap ?? {};
    const where = 'configuration.bootstrap.';
    const bootstrap = this.provenance.merged(configuration.bootstrap, { props }, where);
    const isMade = configuration.createBootstrapService !== false;
    const planned = { ...metadata.annotations, ...wanted.everyBroker.annotations };
    this.mergeTexts(bootstrap, 'annotations', { plan: isMade ? planned : {}, props: annotations }, where);
    this.mergeTexts(bootstrap, 'labels', { plan: isMade ? metadata.labels : {}, props: labels }, where);
    this.provenance.extend(bootstrap, 'alternativeNames', [...own, ...alternativeNames], where);
    const names = isMade && wanted.namesBrokers ? bootstrapNames(cluster, { ...configuration, bootstrap }) : [];
    if (names.length > 0) {
      bootstrap.annotations = sorted({ ...bootstrap.annotations, ...namedInDns(names.join(',')) });
    }
    if (Object.keys(bootstrap).length > 0) {
      configuration.bootstrap = sorted(bootstrap);
    }
  }

  /** Entries of the props for single brokers; one for an unknown broker is written as well, for a rule to find. */
  private mergeEntries(): void {
    const known = this.entries.length > 0 ? this.cluster.brokerIds : [];
    for (const { broker, annotations, labels, ...fields } of this.entries) {
      for (const field of Object.keys(fields)) {
        this.changeBroker(broker, field, (entry, where) =>
          Object.assign(entry, this.provenance.merged(entry, { props: { [field]: fields[field] } }, where)),
        );
      }
      if (!known.includes(broker)) {
        this.mergeBroker(broker, 'annotations', { props: annotations });
        this.mergeBroker(broker, 'labels', { props: labels });
      }
    }
  }

  /** Where the release has templates and all brokers agree up to the placeholders, one template is written for all. */
  private mergeBrokers(field: MetadataField): void {
    const { cluster, configuration, wanted } = this;
    const templateField = BROKER_METADATA[field];
    const plain = wanted.everyBroker[field];
    const ofAll: Texts = this.props[templateField] ?? {};
    const own = new Map(this.entries.flatMap((entry) => (isEmpty(entry[field]) ? [] : [[entry.broker, entry[field]]])));
    const named = field === 'annotations' && wanted.namesBrokers;
    const host = configuration.advertisedHostTemplate;
    const template = { plan: named && isText(host) ? { ...plain, ...namedInDns(host) } : plain, props: ofAll };
    const hasAny = own.size > 0 || !isEmpty(ofAll);
    const ofBrokers = new Map(
      cluster.brokerIds.map((id) => [
        id,
        {
          plan: this.plannedFor(id, plain, named),
          props: hasAny ? { ...this.rendered(ofAll, id), ...own.get(id) } : {},
        },
      ]),
    );
    if ([...ofBrokers.values()].every(({ plan, props }) => isEmpty(plan) && isEmpty(props))) {
      return;
    }
    const others = [...ofBrokers].filter(([id]) => !own.has(id));
    const shared = { ...template.props, ...template.plan };
    const agreed = others.every(([id, { plan, props }]) => sameTexts(this.rendered(shared, id), { ...props, ...plan }));
    const hasTemplates = reaches(cluster.strimzi, PER_BROKER_TEMPLATES_SINCE);
    const byTemplate = agreed && hasTemplates && others.length > 0;
    const before = hasTemplates ? configuration[templateField] : undefined;
    if (byTemplate) {
      this.mergeTexts(configuration, templateField, template, 'configuration.');
    } else {
      this.provenance.compare(template, `configuration.${templateField} `);
    }
    for (const [id, { plan, props }] of ofBrokers) {
      const mine: Texts = own.get(id) ?? {};
      const hasOwn = !isEmpty(brokerField({ configuration }, id, field));
      // metadata of a broker itself replaces the template as a whole
      if (!(isEmpty(plan) && isEmpty(props)) && (hasOwn || own.has(id) || !byTemplate)) {
        const inherited = hasOwn
          ? {}
          : without(this.rendered(before, id), Object.keys(without(mine, Object.keys(plan))));
        // what all brokers get by the props was compared with the plan above
        this.mergeBroker(id, field, { plan, props: { ...without(props, Object.keys(plan)), ...mine } }, inherited);
      }
    }
  }

  private plannedFor(id: number, plain: Texts, named: boolean): Texts {
    const host = named ? advertisedHostOf(this.cluster, this.configuration, id) : undefined;
    return host === undefined ? plain : { ...plain, ...namedInDns(host) };
  }

  private mergeBroker(id: number, field: MetadataField, wanted: Wanted, inherited: Texts = {}): void {
    this.changeBroker(id, field, (entry, where) => {
      entry[field] = { ...inherited, ...this.provenance.mapIn(entry[field], `${where}${field}`) };
      this.mergeTexts(entry, field, wanted, where);
    });
  }

  /** Changes the entry of a broker that has a field, or else the first one. */
  private changeBroker(id: number, field: string, change: (entry: Json, where: string) => void): void {
    const brokers = this.provenance.listIn<Json>(this.configuration.brokers, 'configuration.brokers');
    const ofBroker = (entry: Json) => isMap(entry) && entry.broker === id;
    const withField = brokers.findIndex((entry) => ofBroker(entry) && isSet(entry[field]));
    const place = withField < 0 ? brokers.findIndex(ofBroker) : withField;
    const entry: Json = place < 0 ? { broker: id } : { ...brokers[place] };
    change(entry, `configuration.brokers[broker ${id}].`);
    brokers.splice(place < 0 ? brokers.length : place, place < 0 ? 0 : 1, sorted(entry));
    this.configuration.brokers = brokers;
  }

  private get entries(): Json[] {
    return this.props.brokers ?? [];
  }

  private rendered(template: unknown, id: number): Texts {
    const entries = Object.entries(textsIn(template));
    return Object.fromEntries(entries.map(([key, text]) => [key, forBroker(this.cluster, text, id)]));
  }

  private mergeTexts(map: Json, field: string, wanted: Wanted, where: string): void {
    const texts = this.provenance.merged(map[field], wanted, `${where}${field} `);
    if (!isEmpty(texts)) {
      map[field] = texts;
    }
  }
}

function isEmpty(value: unknown): boolean {
  return !isMap(value) || Object.keys(value).length === 0;
}
