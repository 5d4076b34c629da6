/** Which brokers advertise which ports, as the beginning of a sentence. */
export function advertising(ports: readonly (readonly [id: number, port: number])[]): string {
  const ids = ports.map(([id]) => id).join(', ');
  const different = [...new Set(ports.map(([, port]) => port))];
  return `${ports.length > 1 ? `brokers ${ids} advertise` : `broker ${ids} advertises`} ${different.length > 1 ? 'ports' : 'port'} ${different.join(', ')}`;
}
