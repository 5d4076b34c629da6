import type { Json } from '../../src/contract/json';

export const LISTENER = { name: 'tls', port: 443, protocol: 'TLS', tls: { mode: 'Passthrough' } };
const manySecrets = Array.from({ length: 65 }, (_, i) => ({ name: `s${i}` }));

/** What is said of a Gateway as YAML, by what its specification has beside a class and a listener. */
export const WRONG_YAML: [Json, string[]][] = [
  [
    { listeners: [LISTENER, null] },
    ['spec.listeners[1] is null, but must be a map; write a map (gateway-listener-count)'],
  ],
  [{ listeners: LISTENER }, ['spec.listeners is {', 'write a list of maps (gateway-listener-count)']],
  [
    { listeners: [{ ...LISTENER, tls: { mode: 'Terminate', certificateRefs: manySecrets } }] },
    ['spec.listeners[0].tls.certificateRefs is [', 'at most 64 entries (gateway-field-wrong-type)'],
  ],
  [
    { listeners: [{ ...LISTENER, allowedRoutes: { kinds: [{}] } }] },
    ['kind is missing; set it', '(gateway-field-missing)'],
  ],
  [
    { listeners: [{ ...LISTENER, allowedRoutes: { namespaces: { from: 'all' } } }] },
    ["from is 'all', which is not a valid value; use one of All, Selector, Same (gateway-value-unknown)"],
  ],
  [
    { gatewayClassName: 7 },
    ['spec.gatewayClassName is 7, but must be a string; write a string (gateway-class-missing)'],
  ],
  [{ addresses: [7] }, ['spec.addresses[0] is 7, but must be a map; write a map (gateway-address-invalid)']],
  [
    { addresses: Array.from({ length: 17 }, (_, i) => ({ value: `192.0.2.${i}` })) },
    ['there are 17 addresses, more than 16', '(gateway-address-invalid)'],
  ],
  [{ infrastructure: { annotations: { size: 3 } } }, ['write a string, in quotes (gateway-field-wrong-type)']],
  [
    { listeners: [{ ...LISTENER, hostName: 'a.b' }] },
    ['the field spec.listeners[0].hostName', '(gateway-field-unknown)'],
  ],
  [{ defaultScope: 'All' }, []],
];
