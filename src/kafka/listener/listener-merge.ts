import { reaches } from '../../contract/compare-versions';
import { haveNamesOf, haveSameNames, namedInDns } from '../../contract/external-dns';
import { inKeyOrder, isMap, isSet, type Json, list, omitKeys, shown, sorted } from '../../contract/json';
import { EXTERNAL_DNS_HOSTNAME_ANNOTATIONS } from '../../contract/kubernetes.facts';
import type { LoadBalancerFinding } from '../../contract/options';
import { findingOf } from '../../contract/rule';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import { brokerField, textsIn } from '../operator/kafka-document';
import { forBroker } from '../operator/operator-services';
import { advertisedHostOf, bootstrapNames } from '../rules/listener-service-rules';
import { LISTENER_OF_ANOTHER_TYPE, MANIFEST_CONTRADICTS_PLAN, PROPS_CONTRADICT_PLAN } from '../rules.facts';
import { PER_BROKER_TEMPLATES_SINCE } from '../strimzi/strimzi.facts';
import { IP_FAMILY_POLICIES } from './planned-listener';

export interface RequestedListener extends ListenerSources {
  readonly props: Json;
  readonly plan: Json;
  readonly everyBroker: { readonly annotations: Texts; readonly labels: Texts };
  /**
   * True if each broker's Service gets the advertised host as a DNS name, and bootstrap its alternative names where it has no
   * other.
   */
  readonly namesBrokers: boolean;
}

export interface MergedListener {
  readonly json: Json;
  readonly contradictions: readonly LoadBalancerFinding[];
}

const BROKER_METADATA = {
  annotations: 'perBrokerAnnotationsTemplate',
  labels: 'perBrokerLabelsTemplate',
} as const;

type MetadataField = keyof typeof BROKER_METADATA;

export class ListenerMerge implements MergedListener {
  public readonly json: Json;
  private readonly provenance: ListenerProvenance;
  private readonly configuration: Json;
  private readonly props: Json;
  private readonly plan: Json;

  public constructor(
    private readonly cluster: IKafkaCluster,
    private readonly wanted: RequestedListener,
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
          : omitKeys(this.rendered(before, id), Object.keys(omitKeys(mine, Object.keys(plan))));
        // what all brokers get by the props was compared with the plan above
        this.mergeBroker(id, field, { plan, props: { ...omitKeys(props, Object.keys(plan)), ...mine } }, inherited);
      }
    }
  }

  private plannedFor(id: number, plain: Texts, named: boolean): Texts {
    const host = named ? advertisedHostOf(this.cluster, this.configuration, id) : undefined;
    return host === undefined ? plain : { ...plain, ...namedInDns(host) };
  }

  private mergeBroker(id: number, field: MetadataField, wanted: RequestedFields, inherited: Texts = {}): void {
    this.changeBroker(id, field, (entry, where) => {
      entry[field] = { ...inherited, ...this.provenance.mapIn(entry[field], `${where}${field}`) };
      this.mergeTexts(entry, field, wanted, where);
    });
  }

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

  private mergeTexts(map: Json, field: string, wanted: RequestedFields, where: string): void {
    const texts = this.provenance.merged(map[field], wanted, `${where}${field} `);
    if (!isEmpty(texts)) {
      map[field] = texts;
    }
  }
}

function isEmpty(value: unknown): boolean {
  return !isMap(value) || Object.keys(value).length === 0;
}

export interface RequestedFields {
  readonly plan?: Json;
  readonly props?: Json;
}

type Source = keyof RequestedFields;

export interface ListenerSources {
  readonly name: string;
  readonly owner: string;
  readonly planner: string;
}

const CONTRADICTIONS = { manifest: MANIFEST_CONTRADICTS_PLAN, props: PROPS_CONTRADICT_PLAN };

/**
 * Merges maps of a listener, and keeps who contradicts whom: the plan is stronger than the props, and both are stronger than
 * the manifest.
 */
export class ListenerProvenance {
  public readonly contradictions: LoadBalancerFinding[] = [];

  public constructor(private readonly who: ListenerSources) {}

  public merged(present: unknown, wanted: RequestedFields, where: string): Json {
    const map = this.mapIn(present, where.slice(0, -1));
    this.compare(wanted, where);
    const { plan = {}, props = {} } = wanted;
    for (const [field, value] of Object.entries<unknown>({ ...props, ...plan })) {
      if (value !== undefined && !matchesPlan(field, map[field], value)) {
        if (isSet(map[field]) && !equalJson(map[field], value)) {
          this.contradict(`${where}${field}`, 'manifest', map[field], field in plan ? 'plan' : 'props', value);
        }
        map[field] = inKeyOrder(value);
      }
    }
    return sorted(map);
  }

  public compare({ plan = {}, props = {} }: RequestedFields, where: string): void {
    for (const [field, value] of Object.entries<unknown>(props)) {
      const planned = plan[field];
      if (planned !== undefined && !equalJson(value, planned) && !meansTheSame(field, value, planned)) {
        this.contradict(`${where}${field}`, 'props', value, 'plan', planned);
      }
    }
  }

  public mapIn(value: unknown, where: string): Json {
    if (isSet(value) && !isMap(value)) {
      this.misshape(where, value, 'a map');
    }
    return isMap(value) ? { ...value } : {};
  }

  public listIn<T>(value: unknown, where: string): T[] {
    if (isSet(value) && !Array.isArray(value)) {
      this.misshape(where, value, 'a list');
    }
    return [...list<T>(value)];
  }

  public extend(map: Json, field: string, texts: readonly string[], where: string): void {
    if (texts.length > 0) {
      map[field] = [...new Set([...this.listIn<string>(map[field], `${where}${field}`), ...texts])];
    }
  }

  public contradict(
    where: string,
    from: keyof typeof CONTRADICTIONS,
    value: unknown,
    by: Source,
    wanted: unknown,
  ): void {
    const { name: listener, owner, planner } = this.who;
    const sets = { manifest: 'the manifest sets', props: 'the props set', plan: `${planner} sets` };
    const isOfType = where === 'type';
    const rule = isOfType ? LISTENER_OF_ANOTHER_TYPE : CONTRADICTIONS[from];
    const found = {
      case: 'value',
      listener,
      where,
      by: sets[by],
      shown: shown(value),
      wanted: wanted === undefined ? 'none' : shown(wanted),
      value: isOfType ? String(value) : shown(value),
    };
    this.contradictions.push(findingOf(rule, found, owner));
  }

  private misshape(where: string, value: unknown, shape: string): void {
    const { name: listener, owner } = this.who;
    const found = { case: 'shape', listener, where, shape, value: shown(value) };
    this.contradictions.push(findingOf(MANIFEST_CONTRADICTS_PLAN, found, owner));
  }
}

// Condition under which a listener equals its plan.

export type Texts = Readonly<Record<string, string>>;

/** Fields whose lists mean the same in any order; the one that is there stays. */
const UNORDERED: readonly string[] = ['loadBalancerSourceRanges'];

/** True if what is in a field of a manifest says what is planned: a Service may have more names than the planned one. */
export function matchesPlan(field: string, present: unknown, planned: unknown): boolean {
  return meansTheSame(field, present, planned) || areNames(field, present, planned, haveNamesOf);
}

export function meansTheSame(field: string, present: unknown, planned: unknown): boolean {
  const isOpen = present === IP_FAMILY_POLICIES.preferDual && planned === IP_FAMILY_POLICIES.dual;
  return (
    isOpen ||
    (UNORDERED.includes(field) && equalJson(inOrder(present), inOrder(planned))) ||
    areNames(field, present, planned, haveSameNames)
  );
}

function areNames(
  field: string,
  present: unknown,
  planned: unknown,
  match: (one: string, other: string) => boolean,
): boolean {
  return (
    EXTERNAL_DNS_HOSTNAME_ANNOTATIONS.includes(field) && isText(present) && isText(planned) && match(present, planned)
  );
}

function inOrder(value: unknown): unknown {
  return Array.isArray(value) ? [...new Set(value)].sort() : value;
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function equalJson(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(inKeyOrder(one)) === JSON.stringify(inKeyOrder(other));
}

export function sameTexts(one: Texts, other: Texts): boolean {
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}
