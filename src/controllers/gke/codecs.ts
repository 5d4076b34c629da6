import { type Codec, codec, list, text } from '../../contract/annotation-codec';

/** `Internal`; anything else means external. */
export function internalOrExternal(): Codec<boolean> {
  const says = "'Internal' or 'External'";
  return codec(
    says,
    [true, false],
    (internal) => (internal === true ? 'Internal' : internal === false ? 'External' : String(internal)),
    (word) => {
      const internal = word === 'Internal' || word === 'internal';
      return internal || /^external$/i.test(word) ? { value: internal } : { fault: `'${word}' is not ${says}` };
    },
  );
}

export const resourceName = () =>
  text({
    says: 'the name of a resource, not an address',
    matches: /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/,
    example: 'edge',
  });

/** The controllers look at two names. */
export function addressNames(): Codec<string[]> {
  const names = list(resourceName());
  const says = 'at most two names of reserved addresses, one of IPv4 and one of IPv6, separated by a comma';
  return codec(
    says,
    names.examples,
    (values) => names.encode(values),
    (whole) => {
      const read = names.decode(whole);
      return 'value' in read && read.value.length > 2 ? { fault: `'${whole}' is not ${says}` } : read;
    },
  );
}

export function json(): Codec<string> {
  const says = 'a JSON object';
  return codec<string>(says, ['{"a":1}'], String, (whole) => {
    try {
      const value: unknown = JSON.parse(whole);
      return typeof value === 'object' && value !== null ? { value: whole } : { fault: `'${whole}' is not ${says}` };
    } catch {
      return { fault: `'${whole}' is not ${says}` };
    }
  });
}
