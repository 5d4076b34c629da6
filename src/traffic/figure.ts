/** What cannot be said, with what is needed to say it. */
export interface Unknown {
  /** `needs …`. */
  readonly unknown: string;
}

/** A number and where it comes from. */
export interface Figure {
  readonly value: number;
  /** The terms of the number: `1/2 × 2/3`. */
  readonly terms: string;
}

/** Whether there is an answer in words instead of one in numbers. */
export function isUnknown(answer: object): answer is Unknown {
  return 'unknown' in answer;
}
