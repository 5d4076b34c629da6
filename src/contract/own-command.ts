/**
 * A command of this library as a message names it: who uses it from Python has the program beside the library, anybody else has
 * it by npx.
 */
export function ownCommand(words: string): string {
  const program = `cdk8s-load-balancers ${words}`;
  return process.env.JSII_AGENT?.startsWith('Python') ? program : `npx ${program}`;
}
