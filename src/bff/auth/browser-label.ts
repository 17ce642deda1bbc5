/** The label of what no rule below knows. */
export const unknownBrowser = 'Unknown browser';

// The first that matches counts: most browsers also name those that they want to be taken for.
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPT|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bVersion\/[\w.]+ (Mobile\/\w+ )?Safari\//, 'Safari'],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biP(hone|od)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMacintosh\b/, 'Mac'],
  [/\b(Linux|X11)\b/, 'Linux'],
];

/**
 * “Firefox on Linux”, for people to recognise a browser of theirs. It is made of the words above alone: the header itself is
 * personal data, and strangers choose its text.
 */
export function browserLabel(userAgent: string | null): string {
  const nameIn = (table: typeof browsers) => table.find(([form]) => form.test(userAgent ?? ''))?.[1];
  const [browser, system] = [nameIn(browsers), nameIn(systems)];
  if (browser === undefined) return unknownBrowser;
  return system === undefined ? browser : `${browser} on ${system}`;
}
