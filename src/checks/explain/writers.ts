import { isMap, type Json, list } from '../../contract/json';
import { shown } from '../../contract/printable';
import { finalizersOf } from '../../rules/service-json';

/**
 * Who wrote what decides about a balancer, as far as a dump has `managedFields` (kubectl get … --show-managed-fields): each
 * finalizer, the class, and the address.
 */
export function writersOf(service: Json): Record<string, string> {
  const entries = list<Json>(service.metadata?.managedFields).filter(isMap);
  const fields: [string, string[]][] = [
    ...finalizersOf(service).map((finalizer): [string, string[]] => [
      finalizer,
      ['f:metadata', 'f:finalizers', `v:${JSON.stringify(finalizer)}`],
    ]),
    ['class', ['f:spec', 'f:loadBalancerClass']],
    ['address', ['f:status', 'f:loadBalancer']],
  ];
  const found = fields.map(([label, path]) => [label, writersAt(entries, path)] as const);
  return Object.fromEntries(found.filter(([, writers]) => writers !== ''));
}

function writersAt(entries: readonly Json[], path: readonly string[]): string {
  return entries
    .filter(({ fieldsV1 }) => has(fieldsV1, path))
    .map(
      ({ manager, operation, time }) =>
        `${shown(manager)} (${[operation, time].filter((one) => typeof one === 'string').join(', ')})`,
    )
    .join(' and ');
}

function has(value: unknown, [step, ...rest]: readonly string[]): boolean {
  return isMap(value) && Object.hasOwn(value, step) && (rest.length === 0 || has(value[step], rest));
}
