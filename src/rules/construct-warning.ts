import type { IConstruct } from 'constructs';
import type { LoadBalancerFinding } from '../contract/options';
import { SynthWatch } from './synth-watch';
import type { WarningSource } from './warnings';

type Findings = LoadBalancerFinding | readonly LoadBalancerFinding[] | undefined;

/** Warns of something about a construct that no rule sees in a finished object. */
export function warnOf(scope: IConstruct, findings: () => Findings, id?: string): void {
  SynthWatch.of(scope).warn(new ConstructWarning(scope, findings, id));
}

class ConstructWarning implements WarningSource {
  private reported: string[] = [];

  /** The construct may still be in the making, so its scope and its name there are kept. */
  public constructor(
    private readonly scope: IConstruct,
    private readonly findings: () => Findings,
    private readonly id?: string,
  ) {
    scope.node.addValidation({ validate: () => this.reported });
  }

  public get host(): IConstruct {
    return (this.id === undefined ? undefined : this.scope.node.tryFindChild(this.id)) ?? this.scope;
  }

  public look() {
    return { warnings: [this.findings() ?? []].flat() };
  }

  public fail(sentences: string[]): void {
    this.reported = sentences;
  }
}
