import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { visibleName } from '../http/text.ts';
import { foldText } from '../service/search-text.ts';

/** Most bundles that can have a name, and most characters of a name. */
export const bundleLimits = { bundles: 500, name: 64 } as const;

const whole = 'Enter a whole number, 1 or higher.';

/** The name of a bundle. Who looks for it, finds it without regard to case and accents. */
export const Bundle = z.strictObject({
  number: z.int(whole).check(z.minimum(1, whole)),
  name: visibleName('Enter a name.', bundleLimits.name).check(
    z.refine((name) => !/^\d+$/.test(name), 'Enter more than digits, which would be a number.'),
  ),
  /** Subscribers may still have one that is no longer sold. */
  isSold: z.boolean(),
});
export type Bundle = z.infer<typeof Bundle>;

/** In the order in which they are shown. `version` counts the changes of the list; `fromService`: they are changed there. */
export const BundleList = z.object({
  bundles: z.array(Bundle),
  version: z.int(),
  fromService: z.optional(z.boolean()),
});
export type BundleList = z.infer<typeof BundleList>;

export const isSameName = (one: string, other: string): boolean => foldText(one) === foldText(other);

export const isSameBundle = (one: Bundle, other: Bundle): boolean =>
  one.number === other.number && one.name === other.name && one.isSold === other.isSold;

/** The whole list as it is to be, and the version that it replaces. The error of a bundle has its index. */
export const SaveBundlesBody = z.strictObject({
  bundles: z.array(Bundle).check(
    z.maxLength(bundleLimits.bundles, `There can be ${bundleLimits.bundles} bundles. Remove some.`),
    z.check<Bundle[]>(({ value, issues }) => {
      const [numbers, names] = [new Set<number>(), new Set<string>()];
      for (const [index, { number, name }] of value.entries()) {
        const message = numbers.has(number)
          ? `Bundle ${number} is in the list twice. Remove one.`
          : names.has(foldText(name)) && `Two bundles are called “${name}”. Change one name.`;
        if (message) issues.push({ code: 'custom', input: value, path: [index], message });
        numbers.add(number);
        names.add(foldText(name));
      }
    }),
  ),
  version: z.int('Send the version that you changed.'),
});
export type SaveBundlesBody = z.infer<typeof SaveBundlesBody>;
