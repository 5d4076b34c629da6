import { refusal } from '../refusal';
import { PARTITIONS, UNKNOWN_IN_PARTITION } from './aws.facts';
import { isUnresolved, parseArn, partitionOfRegion } from './aws-arn';

/**
 * A partition of AWS: regions with accounts of their own. Its name is in every ARN, so that a policy or a role of one
 * partition means nothing in another. Service principals such as `pods.eks.amazonaws.com` and the audience
 * `sts.amazonaws.com` of service account tokens are the same in all of them, China included.
 */
export class AwsPartition {
  /** The commercial regions. */
  public static readonly AWS = new AwsPartition('aws');

  /** The regions in China. */
  public static readonly CHINA = new AwsPartition('aws-cn');

  /** AWS GovCloud (US). */
  public static readonly US_GOV = new AwsPartition('aws-us-gov');

  /** The isolated regions of the first kind (`us-iso-east-1`). */
  public static readonly ISO = new AwsPartition('aws-iso');

  /** The isolated regions of the second kind (`us-isob-east-1`). */
  public static readonly ISO_B = new AwsPartition('aws-iso-b');

  /** The isolated regions in Europe (`eu-isoe-west-1`). */
  public static readonly ISO_E = new AwsPartition('aws-iso-e');

  /** The isolated regions of the fourth kind (`us-isof-south-1`). */
  public static readonly ISO_F = new AwsPartition('aws-iso-f');

  /** The European Sovereign Cloud (`eusc-de-east-1`). */
  public static readonly EU_SOVEREIGN = new AwsPartition('aws-eusc');

  /**
   * The partition that a region belongs to.
   *
   * @param region the name of the region, such as `eu-west-1`
   * @throws when no partition has regions of that name
   */
  public static ofRegion(region: string): AwsPartition {
    const id = partitionOfRegion(region);
    if (id === undefined) {
      throw new Error(
        `AwsPartition: '${region}' is not a region of a known partition; write a region such as eu-west-1 or us-gov-west-1 (aws-region-invalid)`,
      );
    }
    return new AwsPartition(id);
  }

  /**
   * The partition that is in an ARN.
   *
   * @param arn an ARN of anything
   * @throws when it is no ARN, or one of a partition that is not known
   */
  public static ofArn(arn: string): AwsPartition {
    const parsed = parseArn(arn);
    const known = PARTITIONS.map(({ id }) => `arn:${id}:`).join(', ');
    if (parsed === undefined) {
      const fault = `'${arn}' is not an ARN of a known partition; write one that begins with ${known}`;
      throw refusal('AwsPartition', 'aws-arn-invalid', fault);
    }
    return new AwsPartition(parsed.partition);
  }

  /** @internal */
  public static _known(id: string): AwsPartition {
    return new AwsPartition(id);
  }

  private constructor(
    /** The part after `arn:`. */
    public readonly id: string,
  ) {}

  /** Suffix of the names of its endpoints; not known for the partition that a stack is deployed to. */
  public get dnsSuffix(): string | undefined {
    return PARTITIONS.find(({ id }) => id === this.id)?.dnsSuffix;
  }

  /** @internal */
  public _knows(action: string): boolean {
    return !UNKNOWN_IN_PARTITION.some(
      ({ partition, actions }) => !isUnresolved(this.id) && this.id.startsWith(partition) && actions.includes(action),
    );
  }
}
