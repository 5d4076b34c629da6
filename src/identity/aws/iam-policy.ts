import { refuse } from '../refusal';
import { CHARACTERS_OF_A_TOKEN, MANAGED_POLICY_CHARACTERS, POLICY_LANGUAGE } from './aws.facts';
import { withRoomForTokens } from './aws-arn';
import type { IamStatement } from './permissions';

function statementJson({ sid, actions, resources, conditions }: IamStatement) {
  return {
    ...(sid !== undefined && { Sid: sid }),
    Effect: 'Allow',
    Action: [...actions],
    Resource: [...resources],
    ...(conditions && Object.keys(conditions).length > 0 && { Condition: conditions }),
  };
}

function distinct(statements: readonly IamStatement[]): IamStatement[] {
  const texts = new Set<string>();
  const names = new Set<string | undefined>();
  return statements.flatMap((statement) => {
    const text = JSON.stringify(statementJson({ ...statement, sid: undefined }));
    if (texts.has(text)) {
      return [];
    }
    texts.add(text);
    const { sid } = statement;
    let name = sid;
    for (let number = 2; name !== undefined && names.has(name); number++) {
      name = `${sid}${number}`;
    }
    names.add(name);
    return [{ ...statement, sid: name }];
  });
}

/**
 * Permissions of AWS as plain data: a list of statements in a fixed order, for AWS CDK, Terraform, Pulumi or the console.
 *
 * A managed policy has at most 6144 characters without white space. `split()` gives as many policies as it takes.
 *
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements.html
 */
export class IamPolicy {
  /** @internal */
  public static _of(statements: readonly IamStatement[]): IamPolicy {
    return new IamPolicy(distinct(statements));
  }

  private constructor(
    /** @internal */
    public readonly _statements: readonly IamStatement[],
  ) {}

  /** The characters that count for the limits of IAM: all but white space. A CDK token counts as 100. */
  public get size(): number {
    return withRoomForTokens(JSON.stringify(this.toPolicyDocument()), CHARACTERS_OF_A_TOKEN).replace(/\s/g, '').length;
  }

  /**
   * The permissions of both.
   *
   * @param other its statements come behind
   */
  public plus(other: IamPolicy): IamPolicy {
    return IamPolicy._of([...this._statements, ...other._statements]);
  }

  /**
   * Policies that together allow the same and each fit a limit; one alone where it fits. The order stays.
   *
   * @param limit the characters that each may have, white space not counted; 6144 unless set otherwise
   * @throws when one statement alone is larger
   */
  public split(limit: number = MANAGED_POLICY_CHARACTERS): IamPolicy[] {
    const parts: IamPolicy[] = [];
    for (const statement of this._statements) {
      const alone = IamPolicy._of([statement]);
      const name = statement.sid ?? statement.actions[0];
      const fault = `the statement '${name}' has ${alone.size} characters, more than ${limit}; give it fewer resources or actions`;
      refuse('IamPolicy', 'iam-policy-too-large', alone.size > limit ? fault : undefined);
      const last = parts[parts.length - 1];
      const longer = last?.plus(alone);
      if (longer && longer.size <= limit) {
        parts[parts.length - 1] = longer;
      } else {
        parts.push(alone);
      }
    }
    return parts;
  }

  /** The policy document, ready for `JSON.stringify`. */
  public toPolicyDocument(): { [key: string]: unknown } {
    return { Version: POLICY_LANGUAGE, Statement: this._statements.map(statementJson) };
  }
}
