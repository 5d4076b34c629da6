import { isUnresolved } from '../../identity/aws/aws-arn';
import type { FlagFact, FlagKind } from '../tables';

/** What a flag wants to be written like. */
export interface WantedValue {
  readonly says: string;
  readonly example: string;
}

interface Kind extends WantedValue {
  readonly reads: RegExp;
}

// strconv.ParseBool, ParseInt and time.ParseDuration of Go; pkg/aws/throttle/config.go; pkg/config/controller_config.go
const KINDS: Readonly<Record<FlagKind, Kind>> = {
  boolean: { says: 'true or false', example: 'true', reads: /^(1|t|T|true|TRUE|True|0|f|F|false|FALSE|False)$/ },
  integer: { says: 'a whole number', example: '10', reads: /^-?\d+$/ },
  number: { says: 'a number', example: '2.5', reads: /^-?\d+(\.\d+)?$/ },
  text: { says: 'one line', example: 'text', reads: /^[^\r\n]*$/ },
  duration: {
    says: 'a duration with units',
    example: '1h30m',
    reads: /^-?(0|((\d+\.?\d*|\.\d+)(ns|us|µs|ms|s|m|h))+)$/,
  },
  pairs: { says: 'keys with values', example: 'team=edge,stage=prod', reads: /^[^=,]+=[^,]*(,[^=,]+=[^,]*)*$/ },
  pair: { says: 'one key with a value', example: 'team=edge', reads: /^[^=]+=./ },
  'security-group': { says: 'the id of a security group', example: 'sg-0123456789abcdef0', reads: /^sg-/ },
  throttle: {
    says: 'operations with a rate and a burst',
    example: 'Elastic Load Balancing v2:RegisterTargets=4:20',
    reads: /^([^=,:]+:[^=,:]+=[\d.]+:\d+)(,[^=,:]+:[^=,:]+=[\d.]+:\d+)*$/,
  },
};

/** What a flag takes, where a text is nothing of the kind. */
export function unreadable(takes: FlagFact['takes'], text: string): WantedValue | undefined {
  if (takes === undefined || isUnresolved(text)) {
    return undefined;
  }
  if (typeof takes === 'string') {
    const kind = KINDS[takes as FlagKind];
    return kind.reads.test(text) ? undefined : kind;
  }
  return takes.includes(text) ? undefined : { says: takes.join(' or '), example: takes[0] };
}
