import type { Citation } from './kubernetes.facts';

/** How AWS CDK, and other tools by its example, write what they fill in when they deploy. */
export const TOKEN_ENCODING: Citation = {
  repository: 'aws/aws-cdk',
  version: 'v2.250.0',
  file: 'packages/aws-cdk-lib/core/lib/private/encoding.ts',
};

/** In a text, or as the only text of a list. */
export const TOKEN_IN_TEXT = /[$#]\{(?:Token|TOKEN)\[[^\]]*\]\}/;

/** As a number: one of a range that is not in use. */
export const TOKEN_AS_NUMBER = /^-1\.8881545897087\d*e\+289$/;
