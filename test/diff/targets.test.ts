import { changesIn, rowsOf, saidOf } from './rows';

test.each(['attack.yaml', 'found-by.yaml', 'life-of-made.yaml', 'targets.yaml'].flatMap(rowsOf))(
  '%s',
  (_, before, after, options, said) => {
    expect(saidOf(changesIn(before, after, options))).toEqual(said);
  },
);
