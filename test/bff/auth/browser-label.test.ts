import { expect, test } from 'vitest';
import { browserLabel, unknownBrowser } from '../../../src/bff/auth/sessions.ts';

const gecko = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const windows = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${gecko}`;
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

test.each([
  [`${windows} Chrome/141.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [`${windows} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`, 'Edge on Windows'],
  [`${windows} Chrome/140.0.0.0 Safari/537.36 OPR/124.0.0.0`, 'Opera on Windows'],
  [`${mac} ${gecko} Chrome/141.0.0.0 Safari/537.36`, 'Chrome on Mac'],
  [`${mac} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15`, 'Safari on Mac'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:144.0) Gecko/20100101 Firefox/144.0', 'Firefox on Mac'],
  ['Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0', 'Firefox on Linux'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${gecko} HeadlessChrome/141.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${gecko} Chrome/141.0.0.0 Safari/537.36`, 'Chrome on ChromeOS'],
  [`${iPhone} Version/18.6 Mobile/15E148 Safari/604.1`, 'Safari on iPhone'],
  [`${iPhone} CriOS/141.0.7390.69 Mobile/15E148 Safari/604.1`, 'Chrome on iPhone'],
  [`${iPhone} FxiOS/144.0 Mobile/15E148 Safari/604.1`, 'Firefox on iPhone'],
  [`${iPhone} Version/18.0 EdgiOS/141.0.3537.60 Mobile/15E148 Safari/604.1`, 'Edge on iPhone'],
  [
    'Mozilla/5.0 (iPad; CPU OS 17_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.7 Mobile/15E148 Safari/604.1',
    'Safari on iPad',
  ],
  [`Mozilla/5.0 (Linux; Android 10; K) ${gecko} Chrome/141.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  ['Mozilla/5.0 (Android 15; Mobile; rv:144.0) Gecko/144.0 Firefox/144.0', 'Firefox on Android'],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${gecko} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet on Android',
  ],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${gecko} Chrome/140.0.0.0 Mobile Safari/537.36 EdgA/140.0.0.0`,
    'Edge on Android',
  ],
  ['Mozilla/5.0 (Haiku; rv:144.0) Gecko/20100101 Firefox/144.0', 'Firefox'],
  ['curl/8.5.0', unknownBrowser],
  ['Mozilla/5.0 (X11; Linux x86_64)', unknownBrowser],
  ['<b>Kari’s laptop</b>', unknownBrowser],
  ['', unknownBrowser],
  [null, unknownBrowser],
])('the browser %s is called “%s”', (userAgent, label) => expect(browserLabel(userAgent)).toBe(label));
