import type { Fault } from '../../contract/kubernetes-syntax';

// Cron expressions of Quartz, as the operator reads maintenance windows: seconds come first, the year may follow, and one
// of the two fields for days is a question mark. quartz-scheduler/quartz, CronExpression.java

interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly names?: string;
  /** What the field takes beside numbers, names, ranges and steps. */
  readonly special?: RegExp;
}

const FIELDS: readonly Field[] = [
  { name: 'seconds', min: 0, max: 59 },
  { name: 'minutes', min: 0, max: 59 },
  { name: 'hours', min: 0, max: 23 },
  { name: 'day of month', min: 1, max: 31, special: /^(\?|LW?|L-\d{1,2}W?|\d{1,2}W)$/ },
  { name: 'month', min: 1, max: 12, names: 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC' },
  {
    name: 'day of week',
    min: 1,
    max: 7,
    names: 'SUN MON TUE WED THU FRI SAT',
    special: /^(\?|L|([1-7]|SUN|MON|TUE|WED|THU|FRI|SAT)(L|#[1-5]))$/,
  },
  { name: 'year', min: 1970, max: 2199 },
];
const LEAST = 6;

/** What is wrong with a cron expression, or nothing. */
export function quartzFault(expression: string): Fault {
  const parts = partsOf(expression);
  if (parts.length < LEAST || parts.length > FIELDS.length) {
    return `'${expression}' has ${parts.length} fields, not 6 or 7: seconds, minutes, hours, day of month, month, day of week, year`;
  }
  const odd = parts.findIndex((part, i) => !part.split(',').every((item) => isItemOf(FIELDS[i], item)));
  if (odd >= 0) {
    return `'${parts[odd]}' is no ${FIELDS[odd].name} in '${expression}'`;
  }
  const [dayOfMonth, dayOfWeek] = [parts[3], parts[5]];
  return (dayOfMonth === '?') === (dayOfWeek === '?')
    ? `'${expression}' has ${dayOfMonth === '?' ? 'two question marks' : 'no question mark'}, and either day of month or day of week is one`
    : undefined;
}

/** How long a window of this expression is open at a time, in seconds, where that is less than two minutes. */
export function shortWindow(expression: string): number | undefined {
  const [seconds, minutes] = partsOf(expression);
  if (/^\d+$/.test(seconds)) {
    return 1;
  }
  return seconds === '*' && /^\d+$/.test(minutes) ? 60 : undefined;
}

function partsOf(expression: string): string[] {
  return expression.trim().toUpperCase().split(/\s+/);
}

function isItemOf(field: Field, item: string): boolean {
  if (field.special?.test(item)) {
    return true;
  }
  const match = /^([^/]*?)(?:\/(\d+))?$/.exec(item);
  const [base, step] = [match?.[1], match?.[2]];
  if (base === undefined || (step !== undefined && (Number(step) < 1 || Number(step) > field.max))) {
    return false;
  }
  if (base === '*' || (base === '' && step !== undefined)) {
    return true;
  }
  const ends = base.split('-');
  return ends.length <= 2 && ends.every((end) => isValueOf(field, end));
}

function isValueOf({ min, max, names }: Field, text: string): boolean {
  return /^\d+$/.test(text) ? Number(text) >= min && Number(text) <= max : (names?.split(' ').includes(text) ?? false);
}
