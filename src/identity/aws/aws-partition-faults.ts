import { parseArn, partitionOfIssuer } from './aws-arn';

/** What a text is called where it is given, and the text. */
export type Given = readonly [what: string, text: string | undefined];

/** What belongs to a partition, as a message names it. */
export interface OfPartition {
  readonly who: string;
  readonly partition: string;
}

/** What does not go together, and the two partitions. */
export interface ForeignPartition {
  readonly what: string;
  readonly home: string;
  readonly other: string;
}

/** The partition of an ARN, also where other parts of it are tokens; nothing where it is a token itself. */
export function partitionIn(arn: string): string | undefined {
  return parseArn(arn)?.partition;
}

function known(given: readonly Given[], partitionOf: (text: string) => string | undefined): OfPartition[] {
  return given.flatMap(([what, text]) => {
    const partition = text === undefined ? undefined : partitionOf(text);
    return partition === undefined ? [] : [{ who: `${what} '${text}'`, partition }];
  });
}

/** The first that is of another partition than the home, or, where none is known, than what is given first. */
export function foreignPartition(
  arns: readonly Given[],
  issuers: readonly Given[] = [],
  home?: OfPartition,
): ForeignPartition | undefined {
  const given = [...known(arns, partitionIn), ...known(issuers, partitionOfIssuer)];
  const [base, ...others] = home ? [home, ...given] : given;
  const other = others.find(({ partition }) => partition !== base.partition);
  return (
    other && {
      what: `${other.who} is of partition ${other.partition}, and ${base.who} of ${base.partition}`,
      home: base.partition,
      other: other.partition,
    }
  );
}
