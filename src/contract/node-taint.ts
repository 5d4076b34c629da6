import { labelKeyFault, labelValueFault } from './kubernetes-syntax';
import { TaintEffect } from './options';

/**
 * A taint of the nodes of a pool.
 */
export class NodeTaint {
  /**
   * Keeps pods away that do not tolerate it.
   *
   * @param key a qualified name
   * @param value at most 63 letters, digits, dashes, dots, underscores
   */
  public static noSchedule(key: string, value?: string): NodeTaint {
    return new NodeTaint(key, TaintEffect.NO_SCHEDULE, value);
  }

  /**
   * Makes the scheduler avoid the nodes; pods need no toleration.
   *
   * @param key a qualified name
   * @param value at most 63 letters, digits, dashes, dots, underscores
   */
  public static preferNoSchedule(key: string, value?: string): NodeTaint {
    return new NodeTaint(key, TaintEffect.PREFER_NO_SCHEDULE, value);
  }

  /**
   * Keeps pods away that do not tolerate it, and evicts those that are there.
   *
   * @param key a qualified name
   * @param value at most 63 letters, digits, dashes, dots, underscores
   */
  public static noExecute(key: string, value?: string): NodeTaint {
    return new NodeTaint(key, TaintEffect.NO_EXECUTE, value);
  }

  private constructor(
    /** The key of the taint. */
    public readonly key: string,
    /** What the taint does. */
    public readonly effect: TaintEffect,
    /** The value of the taint; none matches an empty one. */
    public readonly value?: string,
  ) {
    const wrong = labelKeyFault(key) ?? (value === undefined ? undefined : labelValueFault(value));
    if (wrong) {
      throw new Error(`node taint: ${wrong}; write key and value in the syntax of labels`);
    }
  }

  /** The taint as kubectl writes it, `key=value:effect`. */
  public toString(): string {
    return `${this.key}${this.value === undefined ? '' : `=${this.value}`}:${this.effect}`;
  }
}
