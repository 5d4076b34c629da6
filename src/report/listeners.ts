import { type Json, mapIn, mapsIn } from '../contract/json';

/** The ports of a Service as listeners: `443/TCP`. */
export function listenersIn(service: Json): string[] {
  return mapsIn(mapIn(service, 'spec'), 'ports')
    .filter(({ port }) => Number.isInteger(port))
    .map(({ port, protocol }) => `${port}/${typeof protocol === 'string' ? protocol : 'TCP'}`);
}
