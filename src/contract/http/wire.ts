import './zod-config.ts';
import * as z from 'zod/mini';
import { integerPattern } from './plain-text.ts';
import { characters, plainText } from './text.ts';

/**
 * Codecs for values that travel as text in a path or a query. A repeated parameter arrives as an array and is refused.
 */
export const wireOnce = z.string({
  error: (issue) => (Array.isArray(issue.input) ? 'This parameter is repeated. Use it once.' : undefined),
});

export const wireText = (most: number) => wireOnce.check(characters(most), plainText);

export const wireBoolean = z.codec(z.enum(['true', 'false'], 'Use true or false.'), z.boolean(), {
  decode: (word) => word === 'true',
  encode: (value) => (value ? 'true' : 'false'),
});

export const wireInteger = (least: number, most: number) => {
  const accepted = `Use a whole number from ${least} to ${most}.`;
  return z.codec(
    wireOnce.check(z.regex(integerPattern, accepted)),
    z.int(accepted).check(z.minimum(least, accepted), z.maximum(most, accepted)),
    { decode: Number, encode: String },
  );
};

/** A comma-separated list of known names, which may also be repeated. Of unknown ones, only the first are looked at. */
export const wireNames = <const Names extends readonly string[]>(names: Names) =>
  z.codec(
    z.union([z.string(), z.array(z.string())]),
    z.array(z.enum(names, `Choose from: ${names.join(', ')}.`)),
    {
      // One more than there are names has an unknown one. With 8,000 of them, the sentences about each took 38 ms.
      decode: (value) =>
        [...new Set([value].flat().join(',').split(',').filter(Boolean))].slice(
          0,
          names.length + 1,
        ) as Names[number][],
      encode: (list) => list.join(','),
    },
  );
