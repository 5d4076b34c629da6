// Amounts as Kubernetes writes them: 500m, 4Gi, 1e3. kubernetes/apimachinery v0.36, pkg/api/resource/quantity.go

const QUANTITY = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+))(?:([KMGTPE]i)|([numkMGTPE])|[eE]([+-]?\d+))?$/;

const BINARY = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const DECIMAL = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const ONE = DECIMAL.indexOf('');

/** The number that an amount stands for, or nothing where it is not valid. */
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
