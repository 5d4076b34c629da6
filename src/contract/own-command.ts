/** A command of this library for a message: users of Python have the program beside the library, all others have it by npx. */
export function ownCommand(words: string): string {
  const program = `cdk8s-load-balancers ${words}`;
  return process.env.JSII_AGENT?.startsWith('Python') ? program : `npx ${program}`;
}
