import type { ApiObject } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import type { LoadBalancerFinding } from '../contract/options';
import { perApp } from '../contract/per-app';
import { type DescribedRule, findingOf, sentenceOf } from '../contract/rule';
import { SynthWatch } from './synth-watch';
import type { WarningSource } from './warnings';

/**
 * The annotation of an object whose balancers must not be lost; its value is who owns them. That of a part of an object, such as
 * a listener, ends with the name of the part.
 */
const PROTECTED_ANNOTATION = 'cdk8s-load-balancers/protected';

export const PROTECTION_UNCHECKED: DescribedRule = {
  id: 'protection-unchecked',
  severity: 'error',
  says: 'protected balancer without a LoadBalancerProtection',
  source: 'ours',
};

interface ProtectedThing {
  readonly host: Construct;
  /** The object that has the mark. */
  readonly object: ApiObject;
  /** The part of it that makes balancers. */
  readonly part?: string;
  readonly owner: string;
}

/** The key of the mark of an object, or of a part of it. */
export function protectionKey(part?: string): string {
  return part === undefined ? PROTECTED_ANNOTATION : `${PROTECTED_ANNOTATION}-${part}`;
}

/** Whether a key is a mark. */
export function isProtectionKey(key: string): boolean {
  return key === PROTECTED_ANNOTATION || key.startsWith(`${PROTECTED_ANNOTATION}-`);
}

class AppProtection {
  /** What compares it with what is applied. */
  public checkedBy?: IConstruct;
  private readonly hosts = new Set<Construct>();

  public add({ host, object, part, owner }: ProtectedThing): void {
    object.metadata.addAnnotation(protectionKey(part), owner);
    if (!this.hosts.has(host)) {
      this.hosts.add(host);
      SynthWatch.of(host).warn(new ProtectedHost(host, () => this.checkedBy !== undefined));
    }
  }
}

class ProtectedHost implements WarningSource {
  private reported: readonly string[] = [];

  public constructor(
    public readonly host: Construct,
    private readonly isChecked: () => boolean,
  ) {
    host.node.addValidation({ validate: () => [...this.reported] });
  }

  public look() {
    const problems = this.isChecked() ? [] : [UNCHECKED];
    this.reported = problems.map(sentenceOf);
    return { warnings: [], problems };
  }

  public fail(sentences: string[]): void {
    this.reported = sentences;
  }
}

const UNCHECKED: LoadBalancerFinding = findingOf(
  PROTECTION_UNCHECKED,
  {
    what: 'protect() is called, and nothing in the app compares the balancer with what is applied',
    remedy: "add new LoadBalancerProtection(app, 'Protection', { previous: 'deployed' })",
  },
  'protection',
);

/** What is protected in the app of a construct. */
export const protectionOf = perApp(() => new AppProtection());
