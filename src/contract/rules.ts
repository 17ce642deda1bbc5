import './zod-config.ts';
import * as z from 'zod/mini';

/** At most so many characters, counted as code points: "é" and an emoji are one each. */
export const characters = (most: number) =>
  z.refine<string>(
    (text) => text.length <= most || [...text].length <= most,
    `Use at most ${most} characters.`,
  );

/** A list in which every value stands once; a repeated one is named by its place. */
export function eachOnce<T extends z.ZodMiniType<string | number>>(element: T, most: number) {
  return z.array(element).check(
    z.maxLength(most, `Enter at most ${most}.`),
    z.check<z.output<T>[]>((list) => {
      const seen = new Set<unknown>();
      list.value.forEach((value, place) => {
        if (seen.has(value)) {
          const message = `${value} stands in the list twice. Remove one.`;
          list.issues.push({ code: 'custom', input: value, path: [place], message });
        }
        seen.add(value);
      });
    }),
  );
}

const wantsDate = 'Enter a date and time with its zone, such as 2026-12-31T22:00:00Z.';

/** An ISO 8601 date-time with a zone, years 0001 to 9999, kept in UTC: `2026-12-31T22:00:00.000Z`. */
export const instant = z.string(wantsDate).check(
  z.refine((text) => z.iso.datetime({ offset: true }).safeParse(text).success && inRange(text), wantsDate),
  z.overwrite((text) => (inRange(text) ? new Date(text).toISOString() : text)),
);

function inRange(text: string): boolean {
  const time = Date.parse(text);
  return time >= firstInstant && time <= lastInstant;
}
const firstInstant = Date.parse('0001-01-01T00:00:00Z');
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z');

const mailbox = z.email();

/** `name@example.com`: a local part and a domain with a dot, without quotes or comments. */
export function isMailbox(text: string): boolean {
  return mailbox.safeParse(text).success;
}

const addressOrRange = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

export function isAddressOrRange(text: string): boolean {
  return addressOrRange.safeParse(text).success;
}
