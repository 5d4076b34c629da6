import { hostsOf } from '../tenancy/ports/port-request';
import type { PortChange, PortChangeKind } from './ports-update';

const MEANING: Readonly<Record<PortChangeKind, string>> = {
  added: 'added',
  changed: 'changed: other TLS names',
  kept: 'kept',
  gone: 'gone, and kept until --prune',
  pruned: 'pruned',
  released: 'released',
};

/** What became of the endpoints of one lock file, for people. */
export function portsTable(file: string, changes: readonly PortChange[]): string {
  const rows = changes.map(({ kind, shared, key, place, address }) => [
    key,
    shared,
    `${place.balancer}`,
    `${place.port}`,
    address ?? '-',
    hostsOf(place).join(',') || '-',
    MEANING[kind],
  ]);
  const table = [['ENDPOINT', 'SHARED', 'BALANCER', 'PORT', 'ADDRESS', 'TLS NAMES', 'STATE'], ...rows];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  );
  return `${file}\n${changes.length > 0 ? lines.join('\n') : 'no endpoints'}\n`;
}
