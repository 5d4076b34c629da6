import { App } from 'cdk8s';
import type { IConstruct } from 'constructs';

/** How many writes of an app go on. */
const WRITES = new WeakMap<IConstruct, { depth: number }>();

/**
 * Watches an app for its whole output being written by itself. cdk8s does not tell that from charts that another tool takes
 * over one by one (`chart.toJson()`, by which AWS CDK does it), so the two methods of the app that write are decorated.
 */
export function watchWriting(construct: IConstruct): void {
  const { root } = construct.node;
  if (!(root instanceof App) || WRITES.has(root)) {
    return;
  }
  const writes = { depth: 0 };
  WRITES.set(root, writes);
  const during = <Written>(write: () => Written): Written => {
    writes.depth++;
    try {
      return write();
    } finally {
      writes.depth--;
    }
  };
  const [synth, synthYaml] = [root.synth.bind(root), root.synthYaml.bind(root)];
  root.synth = () => during(synth);
  root.synthYaml = () => during(synthYaml);
}

/** Whether the app of a construct is being written by itself. */
export function isBeingWritten(construct: IConstruct): boolean {
  return (WRITES.get(construct.node.root)?.depth ?? 0) > 0;
}
