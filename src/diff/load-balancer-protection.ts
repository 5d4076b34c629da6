import { Construct } from 'constructs';
import { refuse } from '../contract/declared-types';
import { printable, shown } from '../contract/json';
import { WRONG_PROP } from '../contract/request-rules.facts';
import { sentenceOf } from '../contract/rule';
import { SynthWatch } from '../rules/synth-watch';
import { judgeProps, protectionOf, type WarningSource } from '../rules/warnings';
import type { AcceptedLoadBalancerLoss, LoadBalancerProtectionProps } from './options';
import { previousOf, validateProtection } from './protection';
import { sideBefore, sideOfApp } from './read-sides';

/**
 * Fails the synth where a protected load balancer of the app, or its address, would be lost: one whose construct has `protect()`
 * called, or had it called when the previous manifests were written. It may be renamed, moved, or gone from the app.
 *
 * The previous manifests are read before anything is written. Where there are none yet, as in the first synth, it warns. It looks at
 * the whole app, wherever it is in it, so an app has one. Where it is taken out as well, nothing looks any more: the command `diff`
 * in a pull request does.
 */
export class LoadBalancerProtection extends Construct {
  /**
   * The protection of an app.
   *
   * @param scope the App, or any construct in it
   * @param id the name of the construct
   * @param props what is applied, and which losses are accepted
   * @throws on props of another type than they are declared with, on an accepted loss without a reason, and where the app has one
   */
  public constructor(scope: Construct, id: string, props: LoadBalancerProtectionProps = {}) {
    judgeProps(scope, id, 'LoadBalancerProtectionProps', props);
    const path = [scope.node.path, id].filter(Boolean).join('/');
    const protection = protectionOf(scope);
    refuse(path, [
      ...(protection.checkedBy
        ? [
            `the app has ${protection.checkedBy.node.path} already; an app has one LoadBalancerProtection (${WRONG_PROP.id})`,
          ]
        : []),
      ...lossFaults(props.accept),
    ]);
    super(scope, id);
    protection.checkedBy = this;
    SynthWatch.of(this).warn(new ProtectionWatch(this, props));
  }
}

function lossFaults(accept: readonly AcceptedLoadBalancerLoss[] = []): string[] {
  return accept.flatMap(({ service, outcome, reason }) => [
    ...(reason.trim() === ''
      ? [`'${printable(service)}' is accepted to be ${outcome} without a reason; write why (${WRONG_PROP.id})`]
      : []),
    ...(/^[^/\s]+\/[^/\s]+$/.test(service)
      ? []
      : [`service ${shown(service)} of an accepted loss is not namespace/name; write it like that (${WRONG_PROP.id})`]),
  ]);
}

/** Compares once in each synth. */
class ProtectionWatch implements WarningSource {
  private problems: readonly string[] = [];
  private failing: readonly string[] = [];

  public constructor(
    public readonly host: LoadBalancerProtection,
    private readonly props: LoadBalancerProtectionProps,
  ) {
    host.node.addValidation({ validate: () => [...this.problems, ...this.failing] });
  }

  public look() {
    const found = this.compared();
    this.problems = found.problems.map(sentenceOf);
    this.failing = [];
    return found;
  }

  public fail(sentences: string[]): void {
    this.failing = sentences;
  }

  private compared() {
    const { previous, accept = [], prune = true } = this.props;
    const { root } = this.host.node;
    const { path = '', manifests, problems, warnings } = previousOf(root, previous);
    if (!manifests) {
      return { problems, warnings };
    }
    const after = sideOfApp(root, { asWritten: true, older: manifests });
    return validateProtection({ before: sideBefore(path, manifests, root, after), after, prune, accept });
  }
}
