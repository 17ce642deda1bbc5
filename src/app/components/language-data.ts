/**
 * Has the browser load what it knows of dates and numbers in its language. Whoever formats the first of each waits for
 * that longer than for all others, so it is better done while the dashboard's code is still on its way.
 */
export function loadLanguageData(): void {
  new Intl.NumberFormat().format(0);
  new Intl.RelativeTimeFormat().format(0, 'day');
  new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(0);
}
