import type { PlacedPort } from './place-ports';

/** Where ports can be reached, as an annotation says it: `5432=tcp.example.com:30017`. */
export function endpointsText(ports: readonly PlacedPort[], host: string): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return ports
    .filter(({ port }) => port !== undefined)
    .map(({ servicePort, port }) => `${servicePort}=${name}:${port}`)
    .join(',');
}

/** The ports that an annotation has. Whoever can write the Service can write it: it is a wish, and no right. */
export function portsOfText(text: unknown): Record<number, number> {
  const found: Record<number, number> = {};
  for (const part of typeof text === 'string' ? text.split(',') : []) {
    const match = /^(\d{1,5})=.*:(\d{1,5})$/.exec(part.trim());
    if (match) {
      found[Number(match[1])] = Number(match[2]);
    }
  }
  return found;
}
