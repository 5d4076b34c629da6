import type { Confidence } from '../../contract/kubernetes.facts';
import { citationInWords } from '../../contract/rule';
import { type Operator, type OperatorService, typeFieldOf } from '../../predicted/operator-services';
import { OPERATORS } from '../../predicted/operators/operators.facts';
import { rulesWhere } from './described-rules';
import { type ExplainedPart, type Explanation, known, PAGES } from './explanation';

// An operator that makes load balanced Services: how it writes them, and what to do.

const WRITES: Readonly<Record<Operator['writes'], string>> = {
  'whole object': 'replaces the Service with the one that it builds',
  patch: 'changes fields of the live Service',
  'server-side apply': 'applies its own fields by server-side apply',
  unknown: 'is not known here',
};

/** The operators with an id, a name or a kind of a resource, whatever its case and dashes. */
function findOperators(word: string): Operator[] {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]|operator$/g, '');
  return OPERATORS.filter(({ id, name, aliases = [], resources }) =>
    [id, name, ...aliases, ...resources.map(({ kind, chart }) => kind ?? chart ?? '')].some(
      (one) => plain(one) === plain(word),
    ),
  );
}

export function explainOperator(word: string): Explanation[] {
  return findOperators(word)
    .map(ofChart(word))
    .map((operator) => ({
      kind: operator.chart === undefined ? 'operator' : 'chart',
      word: operator.chart ?? operator.id,
      says:
        operator.chart === undefined
          ? `${operator.name}: it makes ${kindsOf(operator)}`
          : `${operator.name} makes a load balanced Service of its values`,
      parts: [
        ...(isMaker(operator) ? [writing(operator), ...owning(operator)] : []),
        ...operator.resources.map((one) => templates(one, operator)),
      ],
      // code of its own has other rules
      rules: rulesWhere(
        ({ id }) =>
          operator.predictedBy === undefined &&
          (id === 'operator-field-unread' ||
            (id === 'operator-removes-fields' && operator.drops.length > 0) ||
            (id === 'operator-removes-finalizer' && isFinalizerLost(operator)) ||
            (id === 'operator-recreates-service' && operator.recreates !== undefined)),
      ),
      todo: isMaker(operator) ? todoOf(operator) : ['write a Service of your own for its pods'],
      readOn: [PAGES.operators, ...(isFinalizerLost(operator) || operator.drops.includes('class') ? [PAGES.keep] : [])],
    }));
}

function kindsOf({ resources }: Operator): string {
  return [true, false]
    .map((isMade) => ({ isMade, all: resources.filter(({ services }) => services.length > 0 === isMade) }))
    .filter(({ all }) => all.length > 0)
    .map(({ isMade, all }) => `${isMade ? '' : 'no '}load balanced Services of ${all.map(titleOf).join(', ')}`)
    .join(', and ');
}

const titleOf = ({ kind, chart }: Operator['resources'][number]) => kind ?? `chart ${chart}`;

const isMaker = ({ resources }: Operator) => resources.some(({ services }) => services.length > 0);

const ofChart =
  (word: string) =>
  (operator: Operator): Operator & { readonly chart?: string } => {
    const chart = word.toLowerCase();
    const resources = operator.resources.filter((one) => one.chart === chart);
    return resources.length === 0 ? operator : { ...operator, resources, chart };
  };

const isFinalizerLost = ({ drops, fixedIn }: Operator) => drops.includes('finalizers') || fixedIn !== undefined;

function writing({
  writes,
  updates,
  drops,
  fixedIn,
  fixed = ['finalizers'],
  recreates,
  ...of
}: Operator): ExplainedPart {
  return {
    who: 'how it writes a Service that exists',
    facts: known({
      writes: updates ? updatesOf(updates) : WRITES[writes],
      'takes off': drops.join(', ') || (writes === 'unknown' ? 'not known here' : 'nothing'),
      [`before ${fixedIn}`]: fixedIn && `takes off ${fixed.join(', ')} too`,
      'creates again': recreates ? `deletes the Service and creates it again if ${recreates.if}` : 'no known case',
      'seen running': of.seenAt,
      'in files': of.predictedBy === 'nothing' ? 'check and list do not predict its Services' : undefined,
    }),
    source: citationInWords(of.source, of.seenAt ? undefined : (of.confidence as Confidence)),
  };
}

const updatesOf = (fields: readonly string[]) =>
  fields.length === 0
    ? 'changes nothing: it only creates the Service'
    : `only changes ${fields.map((field) => `spec.${field}`).join(' and ')}`;

function owning({ owner, source }: Operator): ExplainedPart[] {
  const who = 'who owns the Service';
  if (!owner) {
    return [{ who, facts: { owner: 'not known here' }, source: citationInWords(source) }];
  }
  const { reference, of = 'its resource', onlyIf, file } = owner;
  const is = reference
    ? `${of}${onlyIf ? ` if ${onlyIf}` : ''}, whose deletion deletes the Service`
    : 'none: it has no owner reference, so policies keeper leaves it out by default';
  return [{ who, facts: { owner: is }, source: citationInWords({ ...source, file }) }];
}

function templates(
  { group, kind, versions, chart, services }: Operator['resources'][number],
  { source }: Operator,
): ExplainedPart {
  const facts: Record<string, string> = {
    ...(versions && { 'API versions': versions.join(', ') }),
    ...(services.length === 0 && { Services: 'none of type LoadBalancer' }),
  };
  for (const service of services) {
    const field = chart ? typeFieldOf(service).replace(/^spec/, 'values') : typeFieldOf(service);
    const [known, made] = [facts[field], madeBy(service)];
    facts[field] = known === undefined || known === made ? made : `${known}, and ${made}`;
  }
  const own = services[0]?.source ?? source;
  return { who: chart ? `chart ${chart}` : `${kind} in ${group}`, facts, source: citationInWords(own) };
}

function madeBy({ name, each, value = 'LoadBalancer', isDefault, shape, fields = {} }: OperatorService): string {
  const lacks = ['annotations', 'loadBalancerClass', 'finalizers'].filter((field) => !(field in fields));
  const missing = shape ? lacks.filter((field) => field === 'finalizers') : lacks;
  return [
    `${[value].flat().join(' or ')}${isDefault ? ' (default)' : ''} makes Service ${name}${name.endsWith('-') ? '…' : ''}`,
    ...(each ? [`one for each ${each}`] : []),
    ...(missing.length > 0 ? [`no field for ${missing.join(', ')}`] : []),
  ].join('; ');
}

const NO_ANNOTATIONS =
  'write a Service of your own, or set annotations on the Service each time it is created: the resource has no field for them';

function todoOf(operator: Operator & { readonly chart?: string }): string[] {
  const { drops, fixedIn, recreates, resources, chart, updates } = operator;
  const isClassLost = drops.includes('class');
  const has = (field: string) =>
    resources.some(({ services }) => services.some(({ fields, shape }) => shape || fields?.[field]));
  const hasClass = has('loadBalancerClass');
  const fields = `set annotations${hasClass ? ' and class' : ''} in the ${chart ? 'values' : 'resource'}`;
  const onlyNew = `${fields} before the Service is created; later, change annotations in the resource and on the Service`;
  return [
    has('annotations') ? (updates ? onlyNew : `${fields}, not on its Service`) : NO_ANNOTATIONS,
    ...(fixedIn === undefined ? [] : [`run ${fixedIn} or newer, which keeps finalizers`]),
    ...(isFinalizerLost(operator) || isClassLost
      ? ['apply the policies that keep finalizers and class, and set keeper: true in load-balancers.yaml']
      : []),
    ...(isClassLost && hasClass
      ? ['set the class when the Service is created: the API server refuses a later one']
      : []),
    ...(isClassLost && !hasClass ? ['do not let a webhook set a class that the operator then takes off'] : []),
    ...(recreates ? ['give clients a DNS name that follows the Service'] : []),
  ];
}
