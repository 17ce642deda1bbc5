import { extendExpiry, type ExtensionStart } from '../../contract/bff/extension.ts';
import { locale } from '../components/locale.ts';

/** The usual extensions of a subscription. */
export const extensions = [
  { label: '+7 days', by: { days: 7 } },
  { label: '+1 month', by: { months: 1 } },
  { label: '+1 year', by: { years: 1 } },
] as const;
type OfferedExtension = (typeof extensions)[number];

/** The time zone of the browser, such as `Europe/Oslo`. */
export const browserZone = (): string => new Intl.DateTimeFormat(locale).resolvedOptions().timeZone;

/**
 * The expiry after an extension, by the browser's calendar and clock.
 *
 * @param expiry the current one in ms since the epoch, NaN if there is none
 * @param from the later of the two unless given
 */
export function extend(expiry: number, { by }: OfferedExtension, now: number, from?: ExtensionStart): Date {
  const zone = browserZone();
  return new Date(extendExpiry(expiry, by, { now, zone, ...(from && { from }) }));
}
