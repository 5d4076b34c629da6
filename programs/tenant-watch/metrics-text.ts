import type { Sample } from '../../src/tenancy/engines/contract/publishing';

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** The samples of a text in the format of Prometheus; what is no sample is left out. */
export function samplesOf(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = line.startsWith('#') ? [] : (LINE.exec(line) ?? []);
    return name === undefined || !Number.isFinite(Number(value))
      ? []
      : [{ name, value: Number(value), labels: labelsOf(labels) }];
  });
}

function labelsOf(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(LABEL)].map(([, key, value]) => [key, unescaped(value)]));
}

function unescaped(value: string): string {
  return value.replace(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));
}

/** A value of a label between its quotes. */
export function escaped(value: string): string {
  return value.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n');
}
