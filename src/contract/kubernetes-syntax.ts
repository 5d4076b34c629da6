import { isIP } from 'node:net';
import { isMap, type Json, list, mapIn, mapOf, ownValue, shown } from './json';
import { TOKEN_AS_NUMBER, TOKEN_IN_TEXT } from './unresolved-token.facts';

// The syntax rules of the Kubernetes API, as functions that say what is wrong, or nothing.
// kubernetes/apimachinery v0.36, pkg/util/validation/validation.go

const LABEL_NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const DNS_1123_LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const DNS_1035_LABEL = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const DNS_1123_SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

export type Fault = string | undefined;

/** Keys of labels, annotations and taints, names of finalizers and classes: `prefix/name` or `name`. */
export function labelKeyFault(key: string): Fault {
  const parts = key.split('/');
  if (parts.length > 2) {
    return `'${key}' has more than one slash`;
  }
  const name = parts[parts.length - 1];
  if (parts.length === 2 && (parts[0].length > 253 || !DNS_1123_SUBDOMAIN.test(parts[0]))) {
    return `'${parts[0]}' in '${key}' is not a valid DNS name`;
  }
  if (name.length > 63) {
    return `'${name}' in '${key}' has ${name.length} characters, more than 63`;
  }
  return LABEL_NAME.test(name) ? undefined : `'${key}' is not a qualified name`;
}

/** Keys of annotations: as those of labels, and in any case. kubernetes/apimachinery v0.36, pkg/api/validation/objectmeta.go */
export function annotationKeyFault(key: string): Fault {
  return labelKeyFault(key.toLowerCase()) && labelKeyFault(key);
}

export function labelValueFault(value: string): Fault {
  if (value.length > 63) {
    return `'${value}' has ${value.length} characters, more than 63`;
  }
  return value === '' || LABEL_NAME.test(value)
    ? undefined
    : `'${value}' is not a valid label value (letters, digits, dashes, dots, underscores; first and last a letter or digit)`;
}

/** Names of namespaces and of a Service's ports. */
export function dnsLabelFault(name: string): Fault {
  if (typeof name !== 'string') {
    return `${shown(name)} is not a valid DNS label`;
  }
  return name.length <= 63 && DNS_1123_LABEL.test(name)
    ? undefined
    : `'${name}' is not a valid DNS label (at most 63 lower-case letters, digits, dashes; this one has ${name.length} characters)`;
}

/** Names of Services: DNS labels that begin with a letter. */
export function serviceNameFault(name: string): Fault {
  return name.length <= 63 && DNS_1035_LABEL.test(name)
    ? undefined
    : `'${name}' is not a valid name for a Service (at most 63 lower-case letters, digits, dashes, first a letter; this one has ${name.length} characters)`;
}

export function dnsNameFault(name: string): Fault {
  if (typeof name !== 'string') {
    return `${shown(name)} is not a valid DNS name`;
  }
  const bare = name.startsWith('*.') ? name.slice(2) : name;
  return bare.length <= 253 && DNS_1123_SUBDOMAIN.test(bare) ? undefined : `'${name}' is not a valid DNS name`;
}

export function portNameFault(name: string): Fault {
  const ok = name.length <= 15 && DNS_1123_LABEL.test(name) && /[a-z]/.test(name) && !name.includes('--');
  return ok
    ? undefined
    : `'${name}' is not a valid port name (at most 15 lower-case letters, digits, single dashes, one letter)`;
}
export function portFault(port: unknown): Fault {
  return typeof port === 'number' && Number.isInteger(port) && port >= 1 && port <= 65535
    ? undefined
    : `${shown(port)} is not a valid port (1 to 65535)`;
}

export function ipFault(address: string): Fault {
  return isIP(address) ? undefined : `'${address}' is not a valid IP address`;
}

/**
 * IP addresses as definitions of custom resources take them: with zeros before the digits too. kubernetes/kube-openapi
 * 43fb72c5454a, pkg/validation/strfmt/default.go
 */
export function looseIpFault(address: string): Fault {
  return ipFault(address.replace(/(?<![\da-f:])0+(?=\d)/gi, '')) && ipFault(address);
}

export function cidrFault(cidr: string): Fault {
  const match = /^([^/]+)\/(\d{1,3})$/.exec(cidr);
  const family = match ? isIP(match[1]) : 0;
  return match && family && Number(match[2]) <= (family === 4 ? 32 : 128)
    ? undefined
    : `'${cidr}' is not a valid address range like 10.0.0.0/8`;
}

export function isIpv6(addressOrRange: string): boolean {
  return isIP(addressOrRange.split('/')[0]) === 6;
}

/** Text that a deployment tool meant to replace before it reached the manifest. */
export function tokenFault(text: string): Fault {
  return text.includes('{') && TOKEN_IN_TEXT.test(text) ? `'${text}' is an unresolved token` : undefined;
}

/** An image: host, path, tag and digest. distribution/reference v0.6.0, regexp.go */
export const IMAGE_SYNTAX =
  /^([\w.-]+(:\d+)?\/)?[a-z0-9]+([._-]+[a-z0-9]+)*(\/[a-z0-9]+([._-]+[a-z0-9]+)*)*(:\w[\w.-]{0,127})?(@[a-z0-9]+:[0-9a-f]{32,})?$/;

// Amounts as Kubernetes writes them: 500m, 4Gi, 1e3. kubernetes/apimachinery v0.36, pkg/api/resource/quantity.go

const QUANTITY = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+))(?:([KMGTPE]i)|([numkMGTPE])|[eE]([+-]?\d+))?$/;

const BINARY = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const DECIMAL = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const ONE = DECIMAL.indexOf('');

export function quantityOf(amount: unknown): number | undefined {
  if (typeof amount === 'number') {
    return Number.isInteger(amount) ? amount : undefined;
  }
  const match = typeof amount === 'string' ? QUANTITY.exec(amount) : undefined;
  if (!match) {
    return undefined;
  }
  const [, number, binary, decimal = '', exponent = '0'] = match;
  const factor = binary
    ? 1024 ** (BINARY.indexOf(binary) + 1)
    : 10 ** ((DECIMAL.indexOf(decimal) - ONE) * 3 + Number(exponent));
  return Number(number) * factor;
}

/** A placeholder between marks: `<name>`, `{NAME}`, `[PROJECT_ID]`, `__NAME__`. */
const MARKED = /<[A-Za-z][^<>]*>|\{[A-Z][A-Z0-9_]*\}|\[[A-Z][A-Z0-9]*_[A-Z0-9_]+\]|__[A-Z][A-Z0-9_]*__/;

/** A name between braces without quotes, which is a map in YAML: `{self.path}`. */
const MAP = /\{"([A-Za-z_][\w.]*)":null\}/;

/** A request to fill in a value, such as `your-cluster`, and digits that are left out. */
const REQUEST = /x{4,}|(^|[^A-Za-z])(change[-_ ]?me|replace[-_ ]?me|placeholder|your[-_][a-z][a-z-_]*)([^A-Za-z]|$)/i;

/** A name in capitals, such as `CLUSTER_NAME`; other words in capitals are values that some field has. */
const CAPITALS =
  /^((NAME|NAMESPACE|PORT|HOST|HOSTNAME|DOMAIN)|[A-Z][A-Z0-9_]*_(NAME|NAMESPACE|PORT|HOST|HOSTNAME|DOMAIN|ADDRESS|ID|ARN|CIDR|REGION|PROJECT|CLUSTER|(?<!^CLIENT_)IP))$/;

/** The placeholder in a text that a sample has for a value that someone fills in by hand. */
export function placeholderIn(text: string): string | undefined {
  const [, key] = MAP.exec(text) ?? [];
  return key === undefined
    ? (MARKED.exec(text)?.[0] ?? (REQUEST.test(text) || CAPITALS.test(text) ? text : undefined))
    : `{${key}}`;
}

export function tokenIn(document: unknown): string | undefined {
  if (typeof document === 'string') {
    return document.includes('{') ? TOKEN_IN_TEXT.exec(document)?.[0] : undefined;
  }
  if (typeof document === 'number') {
    return document < 0 && TOKEN_AS_NUMBER.test(String(document)) ? String(document) : undefined;
  }
  if (typeof document === 'object' && document !== null) {
    for (const key in document) {
      const token = tokenIn(key) ?? tokenIn((document as Record<string, unknown>)[key]);
      if (token !== undefined) {
        return token;
      }
    }
  }
  return undefined;
}

/** True if a selector that says something matches labels. kubernetes/apimachinery v0.36, pkg/apis/meta/v1/types.go */
export function selects(selector: unknown, labels: Json = {}): boolean {
  if (!isMap(selector)) {
    return false;
  }
  const equal = Object.entries(mapOf(selector.matchLabels));
  const expressions = list<Json>(selector.matchExpressions).filter(isMap);
  return (
    equal.length + expressions.length > 0 &&
    equal.every(([key, value]) => labels[key] === value) &&
    expressions.every((expression) => holds(expression, labels))
  );
}

/** The same for selectors of which an empty one selects everything. */
export function matchesSelector(selector: unknown, labels: Json): boolean {
  const expressions = list<unknown>(isMap(selector) ? selector.matchExpressions : undefined);
  const isEmpty =
    isMap(selector) && expressions.length === 0 && Object.keys(mapIn(selector, 'matchLabels')).length === 0;
  return isEmpty || (expressions.every(isMap) && selects(selector, labels));
}

/** True if labels meet an expression of a selector of objects or of nodes. */
export function holds({ key, operator, values }: Json, labels: Json): boolean {
  const value: unknown = ownValue(labels, key);
  switch (operator) {
    case 'In':
      return list(values).includes(value);
    case 'NotIn':
      return !list(values).includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return Number(value) > Number(list(values)[0]);
    default:
      return operator === 'Lt' && Number(value) < Number(list(values)[0]);
  }
}

/** Variables that a tool replaces before the object is applied: `${NAME}`, `$(NAME)`, `$NAME`, `($name.of.Chainsaw)` and `{{ template }}`. */
const VARIABLE = /\$\{[^}]*\}|\$\([A-Za-z_]\w*\)|\(\$[A-Za-z_][\w.]*\)|(?<![\w$])\$[A-Z_][A-Z0-9_]*|\{\{.*?\}\}/;

export function variableIn(text: string): string | undefined {
  return VARIABLE.exec(text)?.[0];
}

/** The first variable or placeholder in a text: the value is known only once it is filled in. */
export function gapIn(text: string): string | undefined {
  return variableIn(text) ?? placeholderIn(text);
}
