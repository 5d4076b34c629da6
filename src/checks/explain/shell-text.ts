/** What the API server takes for a name or a namespace; it means nothing else to a shell. */
const PLAIN = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

/**
 * A command for one Service. A name that no API server would take stays a variable: in a file of others it may be a command of
 * its own.
 */
export function filledIn(command: string, namespace: string, service: string): string {
  return withValue(withValue(command, 'NAMESPACE', namespace), 'SERVICE', service);
}

function withValue(command: string, variable: string, value: string): string {
  return PLAIN.test(value) ? command.replaceAll(`"$${variable}"`, value).replaceAll(`$${variable}`, value) : command;
}
