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
