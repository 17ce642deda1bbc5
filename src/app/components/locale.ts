/**
 * The locale of all dates, numbers and names on a page: the page's language, so that each sentence is in one language,
 * with the region and the clock (12 or 24 hours) of the browser's language.
 *
 * @param language of the page, as in `<html lang>`
 * @param browser the language that the person prefers, such as `nb-NO`
 */
export function localeFor(language: string, browser: string): string {
  try {
    const { region } = new Intl.Locale(browser).maximize();
    const { hourCycle } = new Intl.DateTimeFormat(browser, { hour: 'numeric' }).resolvedOptions();
    const own = `${language}-${region}`;
    const known = new Intl.DateTimeFormat(own).resolvedOptions().locale === own;
    // For a region that it does not know in English, a browser would write dates as in the United States.
    return `${known ? own : `${language}-001`}-u-hc-${hourCycle}`;
  } catch {
    // Some browsers on Linux name no valid language: "en-US@posix".
    return language;
  }
}

/** The locale of this page, for every formatter; English where what reads files runs without a page. */
export const locale = localeFor(globalThis.document?.documentElement.lang || 'en', navigator.language);
