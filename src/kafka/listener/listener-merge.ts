import { namedInDns } from '../../contract/external-dns';
import { isMap, type Json, list } from '../../contract/json';
import type { LoadBalancerFinding } from '../../contract/load-balancer-finding';
import type { IKafkaCluster } from '../cluster/i-kafka-cluster';
import { brokerField, isSaid, shown, textsIn } from '../document/kafka-json';
import { forBroker } from '../operator/operator-names';
import { PER_BROKER_TEMPLATES_SINCE } from '../operator/operator-services.facts';
import { StrimziVersion } from '../strimzi/strimzi-version';
import { advertisedHostOf } from './advertised-host';
import { bootstrapNames } from './bootstrap-names';
import type { PlannedListener } from './listener-plan';
import { isText, meansTheSame, ordered, same, sameTexts, saysThePlan, sorted, type Texts } from './listener-values';
import { NOTHING_SAID, ownOf, type SaidOfServices } from './said-of-services';

/** The two kinds of metadata of a broker's Service, with the templates for all of them. */
const BROKER_METADATA = {
  annotations: 'perBrokerAnnotationsTemplate',
  labels: 'perBrokerLabelsTemplate',
} as const;

const TEMPLATES_SINCE = StrimziVersion.of(PER_BROKER_TEMPLATES_SINCE);

type MetadataField = keyof typeof BROKER_METADATA;

/** Annotations or labels, and who wants them. */
interface Wanted {
  readonly plan: Texts;
  readonly props: Texts;
}

const NO_TEXTS: Texts = {};

/** A listener with its plan, and where what was there says something else: that is never overwritten in silence. */
export class ListenerMerge {
  public readonly json: Json;
  public readonly contradictions: LoadBalancerFinding[] = [];
  private readonly configuration: Json;
  private readonly services: SaidOfServices;

  public constructor(
    private readonly cluster: IKafkaCluster,
    private readonly planned: PlannedListener,
    private readonly present: Json | undefined,
  ) {
    const { name, said } = planned;
    const { type, ...others } = said;
    const own: Json = { ...present, name };
    this.services = planned.services ?? NOTHING_SAID;
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
    this.mergeEntries();
    this.mergeBootstrap();
    this.mergeBrokers('annotations');
    this.mergeBrokers('labels');
  }

  private mergeBootstrap(): void {
    const { configuration, planned } = this;
    const { annotations, labels } = this.services.bootstrap;
    const bootstrap = this.mapOf(configuration, 'bootstrap', 'configuration.');
    const isMade = configuration.createBootstrapService !== false;
    const fill = (field: MetadataField, plan: Texts, props: Texts, prop: string) => {
      const wanted = { plan: isMade ? plan : NO_TEXTS, props };
      this.compare(prop, wanted);
      this.fillTexts(bootstrap, field, wanted, 'configuration.bootstrap.');
    };
    const named = { ...planned.annotations, ...planned.bootstrapAnnotations };
    fill('annotations', named, annotations, 'bootstrapAnnotations');
    fill('labels', planned.labels, labels, 'bootstrapLabels');
    this.fill(bootstrap, planned.saidBootstrap, 'configuration.bootstrap.', 'the props say');
    this.extend(bootstrap, 'alternativeNames', planned.alternativeNames, 'configuration.bootstrap.');
    const names = isMade && planned.namesBrokers ? bootstrapNames(this.cluster, { ...configuration, bootstrap }) : [];
    if (names.length > 0) {
      bootstrap.annotations = sorted({ ...bootstrap.annotations, ...namedInDns(names.join(',')) });
    }
    if (Object.keys(bootstrap).length > 0) {
      configuration.bootstrap = sorted(bootstrap);
    }
  }

  /** What the props say of single brokers. Whoever is no broker gets an entry all the same: a rule tells. */
  private mergeEntries(): void {
    const { brokers } = this.services;
    const known = brokers.length > 0 ? this.cluster.brokerIds : [];
    for (const { id, fields, annotations, labels } of brokers) {
      for (const [field, value] of Object.entries(fields)) {
        this.changeBroker(id, field, (entry, where) => this.fill(entry, { [field]: value }, where, 'the props say'));
      }
      if (!known.includes(id)) {
        this.fillBroker(id, 'annotations', { plan: NO_TEXTS, props: annotations }, NO_TEXTS);
        this.fillBroker(id, 'labels', { plan: NO_TEXTS, props: labels }, NO_TEXTS);
      }
    }
  }

  /** Where the version has templates and all brokers agree up to the placeholders, one template says it for all. */
  private mergeBrokers(field: MetadataField): void {
    const { cluster, planned } = this;
    const plain = planned[field];
    const ofAll = this.services.everyBroker[field];
    const own = ownOf(this.services, field);
    const host = this.configuration.advertisedHostTemplate;
    const named = field === 'annotations' && planned.namesBrokers;
    const template = named && isText(host) ? { ...plain, ...namedInDns(host) } : plain;
    this.compare(BROKER_METADATA[field], { plan: template, props: ofAll });
    const saysAny = own.size > 0 || Object.keys(ofAll).length > 0;
    const wanted = new Map<number, Wanted>();
    for (const id of cluster.brokerIds) {
      const plan = this.plannedFor(id, plain, named);
      this.compare(`brokers[broker ${id}].${field}`, { plan, props: own.get(id) ?? NO_TEXTS });
      wanted.set(id, { plan, props: saysAny ? { ...this.rendered(ofAll, id), ...own.get(id) } : NO_TEXTS });
    }
    if ([...wanted.values()].every(isNothing)) {
      return;
    }
    const others = [...wanted].filter(([id]) => !own.has(id));
    const shared = allOf({ plan: template, props: ofAll });
    const agreed = others.every(([id, texts]) => sameTexts(this.rendered(shared, id), allOf(texts)));
    const hasTemplates = cluster.strimzi.isAtLeast(TEMPLATES_SINCE);
    const byTemplate = agreed && hasTemplates && others.length > 0;
    const before = hasTemplates ? this.configuration[BROKER_METADATA[field]] : undefined;
    if (byTemplate) {
      this.fillTexts(this.configuration, BROKER_METADATA[field], { plan: template, props: ofAll }, 'configuration.');
    }
    for (const [id, texts] of wanted) {
      const explicit = brokerField({ configuration: this.configuration }, id, field);
      const hasOwn = isMap(explicit) && Object.keys(explicit).length > 0;
      // what a broker says for itself replaces the template as a whole
      if (!isNothing(texts) && (hasOwn || own.has(id) || !byTemplate)) {
        const mine = without(own.get(id) ?? NO_TEXTS, texts.plan);
        const inherited = hasOwn ? NO_TEXTS : { ...this.rendered(before, id), ...mine };
        this.fillBroker(id, field, texts, inherited);
      }
    }
  }

  private plannedFor(id: number, plain: Texts, named: boolean): Texts {
    const host = named ? advertisedHostOf(this.cluster, this.configuration, id) : undefined;
    return host === undefined ? plain : { ...plain, ...namedInDns(host) };
  }

  private fillBroker(id: number, field: MetadataField, wanted: Wanted, inherited: Texts): void {
    this.changeBroker(id, field, (entry, where) => {
      entry[field] = { ...inherited, ...this.mapOf(entry, field, where) };
      this.fillTexts(entry, field, wanted, where);
    });
  }

  /** Changes the entry of a broker that has a field, or else the first one. */
  private changeBroker(id: number, field: string, change: (entry: Json, where: string) => void): void {
    const brokers = this.listOf<Json>(this.configuration, 'brokers', 'configuration.');
    const ofBroker = (entry: Json) => isMap(entry) && entry.broker === id;
    const withField = brokers.findIndex((entry) => ofBroker(entry) && isSaid(entry[field]));
    const place = withField < 0 ? brokers.findIndex(ofBroker) : withField;
    const entry: Json = place < 0 ? { broker: id } : { ...brokers[place] };
    change(entry, `configuration.brokers[broker ${id}].`);
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

  private fillTexts(map: Json, field: string, { plan, props }: Wanted, where: string): void {
    const present = this.mapOf(map, field, where);
    this.fill(present, plan, `${where}${field} `, this.byPlan);
    this.fill(present, without(props, plan), `${where}${field} `, 'the props say');
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
      if (value === undefined || saysThePlan(field, map[field], value)) {
        continue;
      }
      if (isSaid(map[field]) && !same(map[field], value)) {
        this.contradict(`${where}${field}`, map[field], value, who);
      }
      map[field] = ordered(value);
    }
  }

  /** Tells where props say something else than the plan of one Service. */
  private compare(prop: string, { plan, props }: Wanted): void {
    for (const [key, text] of Object.entries(props)) {
      if (plan[key] !== undefined && plan[key] !== text && !meansTheSame(key, text, plan[key])) {
        const { name, owner } = this.planned;
        this.contradictions.push({
          ruleId: 'props-contradict-plan',
          who: owner,
          what: `the props say ${prop} ${key} ${shown(text)} of listener '${name}', but ${this.byPlan} ${shown(plan[key])}`,
          remedy: 'take it out of the props, or wish for the same',
          value: text,
        });
      }
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
        remedy: 'give this one another name, or take the other out of the manifest',
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

  private refuse(where: string, present: unknown, why: string, remedy: string): void {
    this.contradictions.push({
      ruleId: 'manifest-contradicts-plan',
      who: this.planned.owner,
      what: `the manifest says ${where} ${shown(present)} in listener '${this.planned.name}', ${why}`,
      remedy,
      value: shown(present),
    });
  }
}

function allOf({ plan, props }: Wanted): Texts {
  return props === NO_TEXTS ? plan : { ...props, ...plan };
}

function isNothing({ plan, props }: Wanted): boolean {
  return Object.keys(plan).length === 0 && Object.keys(props).length === 0;
}

function without(texts: Texts, others: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).filter(([key]) => !Object.hasOwn(others, key)));
}
