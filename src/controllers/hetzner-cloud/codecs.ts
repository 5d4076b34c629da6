import { codec } from '../../contract/annotation-codec';

/** A location; the empty text resets the default of the controller. */
export const location = codec('a location like fsn1, or nothing', ['fsn1', ''], String, (value) =>
  /^\S*$/.test(value) ? { value } : { fault: `'${value}' is not a location like fsn1` },
);
