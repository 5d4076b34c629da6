import type { App } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { LoadBalancerFinding } from '../contract/load-balancer-finding';
import { shown } from '../contract/printable';
import { type DescribedRule, findingOf } from '../contract/rule';
import { SynthOutput, synthRunOf } from '../contract/synth-run';
import type { Manifest } from '../rules/manifest-objects';
import { PREVIOUS_EMPTY, PREVIOUS_MISSING, PREVIOUS_UNREADABLE } from './protection-rules';
import { readWritten, type WrittenManifests } from './written-manifests';

/** What is applied, or why that is not known. */
export interface Previous {
  readonly path?: string;
  readonly manifests?: readonly Manifest[];
  readonly problems: readonly LoadBalancerFinding[];
  readonly warnings: readonly LoadBalancerFinding[];
}

/** The variable in which the command line of cdk8s says where to write to; it has emptied that folder. */
const OUTPUT_OF_COMMAND_LINE = 'CDK8S_OUTDIR';

/** Reads what is applied, before anything is written: cdk8s validates an app before it writes its first file. */
export function previousOf(root: IConstruct, named: string | undefined): Previous {
  const { outdir, outputFileExtension } = root as Partial<App>;
  const path = named ?? outdir;
  const written = path === undefined ? undefined : readWritten(path, outputFileExtension);
  // what is taken chart by chart, as tests do, is written nowhere
  const isUnwritten = named === undefined && synthRunOf(root)?.output === SynthOutput.CHART;
  const [fault, isError] = isUnwritten && isEmpty(written) ? [] : faultOf(written, { named, outdir });
  if (path === undefined || written === undefined || fault) {
    return { problems: fault && isError ? [fault] : [], warnings: fault && !isError ? [fault] : [] };
  }
  return { path, manifests: written.manifests, problems: [], warnings: [] };
}

interface Place {
  readonly named?: string;
  readonly outdir?: string;
}

function faultOf(
  written: WrittenManifests | undefined,
  { named, outdir }: Place,
): readonly [LoadBalancerFinding?, boolean?] {
  if (written && written.unreadable.length > 0) {
    const [first, ...others] = written.unreadable;
    const what = `the previous manifests cannot be read: ${first}${others.length > 0 ? ` and ${others.length} more` : ''}`;
    return [say(PREVIOUS_UNREADABLE, what, 'mend the file, or remove it where it is not applied'), true];
  }
  if (named !== undefined && !written) {
    const what = `previous ${shown(named)} leads to no file and no folder, so nothing can be compared`;
    return [
      say(PREVIOUS_MISSING, what, 'copy what is applied to it; before the first synth make an empty folder'),
      true,
    ];
  }
  if (named === undefined && outdir === undefined) {
    const what = 'this is no App of cdk8s, so there is no output folder to compare with';
    return [say(PREVIOUS_MISSING, what, 'name the manifests that are applied: previous'), true];
  }
  if (named === undefined && isEmpty(written) && process.env[OUTPUT_OF_COMMAND_LINE] === outdir) {
    const what = `cdk8s synth emptied ${shown(outdir)} before the app ran, so what was written before cannot be compared`;
    return [say(PREVIOUS_MISSING, what, "keep a copy of what is applied and name it: previous: 'deployed'"), true];
  }
  if (isEmpty(written)) {
    const what = `${shown(named ?? outdir)} has no manifests, so nothing is compared: this is right in the first synth alone`;
    return [say(PREVIOUS_EMPTY, what, 'copy what is applied to it'), false];
  }
  return [];
}

function isEmpty(written: WrittenManifests | undefined): boolean {
  return !written || (written.manifests.length === 0 && written.unreadable.length === 0);
}

function say(rule: DescribedRule, what: string, remedy: string): LoadBalancerFinding {
  return findingOf(rule, { what, remedy }, 'protection');
}
