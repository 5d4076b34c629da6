import { Chart, Testing } from 'cdk8s';
import type { IConstruct } from 'constructs';

export function faultsAt(construct: IConstruct): string[] {
  const own = `  [${construct.node.path}] `;
  try {
    Testing.synth(Chart.of(construct));
    return [];
  } catch (error) {
    const lines = (error as Error).message.split('\n');
    return lines.filter((line) => line.startsWith(own)).map((line) => line.slice(own.length));
  }
}
