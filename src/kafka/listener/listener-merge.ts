import { EXTERNAL_DNS_HOSTNAME_ANNOTATION } from '../../contract/kubernetes.facts';
import type { Json } from '../../contract/late-rendering';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import { isMap, list } from '../../rules/service-json';
import type { IKafkaCluster } from '../cluster/i-kafka-cluster';
import { brokerField, isSaid, shown, textsIn } from '../document/kafka-json';
import { forBroker } from '../operator/operator-names';
import { PER_BROKER_TEMPLATES_SINCE } from '../operator/operator-services.facts';
import { StrimziVersion } from '../strimzi/strimzi-version';
import { IP_FAMILY_POLICIES, type PlannedListener } from './listener-plan';

type Texts = Readonly<Record<string, string>>;

/** The two kinds of metadata of a broker's Service, with the templates for all of them. */
const BROKER_METADATA = {
  annotations: 'perBrokerAnnotationsTemplate',
  labels: 'perBrokerLabelsTemplate',
} as const;

const TEMPLATES_SINCE = StrimziVersion.of(PER_BROKER_TEMPLATES_SINCE);

type MetadataField = keyof typeof BROKER_METADATA;

/** A listener with its plan, and where what was there says something else: that is never overwritten in silence. */
export class ListenerMerge {
  public readonly json: Json;
  public readonly contradictions: LoadBalancerFinding[] = [];
  private readonly configuration: Json;

  public constructor(
    private readonly cluster: IKafkaCluster,
    private readonly planned: PlannedListener,
    private readonly present: Json | undefined,
  ) {
    const { name, said } = planned;
    const { type, ...others } = said;
    const own: Json = { ...present, name };
    this.beOfType(own, type);
    this.fill(own, present ? others : { ...others, tls: others.tls ?? true }, '', 'the props say');
    this.configuration = this.mapOf(own, 'configuration', '');
    this.mergeConfiguration();
    this.json = sorted({
      ...own,
      configuration: Object.keys(this.configuration).length > 0 ? sorted(this.configuration) : own.configuration,
    });
  }

  private mergeConfiguration(): void {
    const { configuration, planned } = this;
    this.fill(configuration, planned.saidConfiguration, 'configuration.', 'the props say');
    this.fill(configuration, planned.configuration, 'configuration.', this.byPlan);
    if (this.present && isSaid(configuration.class) && planned.configuration.class === undefined) {
      this.contradict('configuration.class', configuration.class, 'no class', this.byPlan);
    }
    this.extend(configuration, 'finalizers', planned.finalizers, 'configuration.');
    this.mergeBootstrap();
    this.mergeBrokers('annotations', planned.annotations);
    this.mergeBrokers('labels', planned.labels);
  }

  private mergeBootstrap(): void {
    const { configuration, planned } = this;
    const bootstrap = this.mapOf(configuration, 'bootstrap', 'configuration.');
    if (configuration.createBootstrapService !== false) {
      const annotations = { ...planned.annotations, ...planned.bootstrapAnnotations };
      this.fillTexts(bootstrap, 'annotations', annotations, 'configuration.bootstrap.');
      this.fillTexts(bootstrap, 'labels', planned.labels, 'configuration.bootstrap.');
    }
    this.fill(bootstrap, planned.saidBootstrap, 'configuration.bootstrap.', 'the props say');
    this.extend(bootstrap, 'alternativeNames', planned.alternativeNames, 'configuration.bootstrap.');
    if (Object.keys(bootstrap).length > 0) {
      configuration.bootstrap = sorted(bootstrap);
    }
  }

  /** Where the version has templates and all brokers agree up to the placeholders, one template says it for all. */
  private mergeBrokers(field: MetadataField, plain: Texts): void {
    const { cluster, planned } = this;
    const host = this.configuration.advertisedHostTemplate;
    const named = field === 'annotations' && planned.namesBrokers;
    const template = named && isText(host) ? { ...plain, [EXTERNAL_DNS_HOSTNAME_ANNOTATION]: host } : plain;
    const wanted = new Map(cluster.brokerIds.map((id) => [id, this.wantedOf(id, plain, named)]));
    if ([...wanted.values()].every((texts) => Object.keys(texts).length === 0)) {
      return;
    }
    const agreed = [...wanted].every(([id, texts]) => same(this.rendered(template, id), texts));
    const hasTemplates = cluster.strimzi.isAtLeast(TEMPLATES_SINCE);
    const byTemplate = agreed && hasTemplates;
    if (byTemplate) {
      this.fillTexts(this.configuration, BROKER_METADATA[field], template, 'configuration.');
    }
    for (const [id, texts] of wanted) {
      const explicit = brokerField({ configuration: this.configuration }, id, field);
      const hasOwn = isMap(explicit) && Object.keys(explicit).length > 0;
      // what a broker says for itself replaces the template as a whole
      if (Object.keys(texts).length > 0 && (hasOwn || !byTemplate)) {
        const inherited = hasOwn || !hasTemplates ? {} : this.rendered(this.configuration[BROKER_METADATA[field]], id);
        this.fillBroker(id, field, texts, inherited);
      }
    }
  }

  private wantedOf(id: number, plain: Texts, named: boolean): Texts {
    const host = named ? advertisedHostOf(this.cluster, this.configuration, id) : undefined;
    return host === undefined ? plain : { ...plain, [EXTERNAL_DNS_HOSTNAME_ANNOTATION]: host };
  }

  private fillBroker(id: number, field: MetadataField, texts: Texts, inherited: Texts): void {
    const brokers = this.listOf<Json>(this.configuration, 'brokers', 'configuration.');
    const ofBroker = (entry: Json) => isMap(entry) && entry.broker === id;
    const withField = brokers.findIndex((entry) => ofBroker(entry) && isSaid(entry[field]));
    const place = withField < 0 ? brokers.findIndex(ofBroker) : withField;
    const entry: Json = place < 0 ? { broker: id } : { ...brokers[place] };
    const where = `configuration.brokers[broker ${id}].`;
    entry[field] = { ...inherited, ...this.mapOf(entry, field, where) };
    this.fillTexts(entry, field, texts, where);
    brokers.splice(place < 0 ? brokers.length : place, place < 0 ? 0 : 1, sorted(entry));
    this.configuration.brokers = brokers;
  }

  private rendered(template: unknown, id: number): Texts {
    const entries = Object.entries(textsIn(template));
    return Object.fromEntries(entries.map(([key, text]) => [key, forBroker(this.cluster, text, id)]));
  }

  private get byPlan(): string {
    return `the plan for ${this.planned.owner} is`;
  }

  private fillTexts(map: Json, field: string, texts: Texts, where: string): void {
    const present = this.mapOf(map, field, where);
    this.fill(present, texts, `${where}${field} `, this.byPlan);
    if (Object.keys(present).length > 0) {
      map[field] = sorted(present);
    }
  }

  /** The map in a field, to write in; whatever else stands there would be lost. */
  private mapOf(map: Json, field: string, where: string): Json {
    if (isSaid(map[field]) && !isMap(map[field])) {
      this.misshape(`${where}${field}`, map[field], 'a map');
    }
    return isMap(map[field]) ? { ...map[field] } : {};
  }

  /** The list in a field, to write in; whatever else stands there would be lost. */
  private listOf<T>(map: Json, field: string, where: string): T[] {
    if (isSaid(map[field]) && !Array.isArray(map[field])) {
      this.misshape(`${where}${field}`, map[field], 'a list');
    }
    return [...list<T>(map[field])];
  }

  /** Adds to the list in a field what does not stand there. */
  private extend(map: Json, field: string, texts: readonly string[], where: string): void {
    if (texts.length > 0) {
      map[field] = [...new Set([...this.listOf<string>(map, field, where), ...texts])];
    }
  }

  private fill(map: Json, fields: Json, where: string, who: string): void {
    for (const [field, value] of Object.entries(fields)) {
      if (value === undefined || meansTheSame(field, map[field], value)) {
        continue;
      }
      if (isSaid(map[field]) && !same(map[field], value)) {
        this.contradict(`${where}${field}`, map[field], value, who);
      }
      map[field] = ordered(value);
    }
  }

  /** A construct is of one type, and a listener of another is not the one that it means. */
  private beOfType(own: Json, type: unknown): void {
    if (isSaid(own.type) && own.type !== type) {
      const { name } = this.planned;
      this.contradictions.push({
        ruleId: 'listener-of-another-type',
        who: this.planned.owner,
        what: `listener '${name}' of the manifest is of type ${shown(own.type)}, and this construct makes one of type '${type}'`,
        wayOut: 'give this one another name, or take the other out of the manifest',
        value: String(own.type),
      });
    }
    own.type = type;
  }

  private contradict(where: string, present: unknown, planned: unknown, who: string): void {
    this.refuse(where, present, `but ${who} ${shown(planned)}`, 'take it out of the manifest, or wish for the same');
  }

  private misshape(where: string, present: unknown, shape: string): void {
    this.refuse(where, present, `where ${shape} must stand`, `write ${shape}, or take it out of the manifest`);
  }

  private refuse(where: string, present: unknown, why: string, wayOut: string): void {
    this.contradictions.push({
      ruleId: 'manifest-contradicts-plan',
      who: this.planned.owner,
      what: `the manifest says ${where} ${shown(present)} in listener '${this.planned.name}', ${why}`,
      wayOut,
      value: shown(present),
    });
  }
}

/** The host that a broker tells its clients; nothing where it is the address of its balancer. */
export function advertisedHostOf(cluster: IKafkaCluster, configuration: Json, id: number): string | undefined {
  const explicit = brokerField({ configuration }, id, 'advertisedHost');
  const template = configuration.advertisedHostTemplate;
  return isText(explicit) ? explicit : isText(template) ? forBroker(cluster, template, id) : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Fields whose lists mean the same in any order; the one that is there stays. */
const UNORDERED: readonly string[] = ['loadBalancerSourceRanges'];

/** Whether what stands in a field is another way to say what is planned. */
function meansTheSame(field: string, present: unknown, planned: unknown): boolean {
  const isOpen = present === IP_FAMILY_POLICIES.preferDual && planned === IP_FAMILY_POLICIES.dual;
  return isOpen || (UNORDERED.includes(field) && same(inOrder(present), inOrder(planned)));
}

/** A list that can be compared with another whose order means nothing; what is none stays. */
function inOrder(value: unknown): unknown {
  return Array.isArray(value) ? [...new Set(value)].sort() : value;
}

/** Whether two values mean the same in a manifest, in whatever order their keys stand. */
function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(ordered(one)) === JSON.stringify(ordered(other));
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(ordered);
  }
  return isMap(value)
    ? Object.fromEntries(Object.entries(sorted(value)).map(([key, inner]) => [key, ordered(inner)]))
    : value;
}

/** Keys in the order in which cdk8s writes them, nothing without a value. */
function sorted(map: Json): Json {
  const entries = Object.entries(map).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}
