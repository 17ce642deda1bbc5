import type { RequestContext } from '../request-context.ts';

type Policy = Readonly<Record<string, string>>;

/** What a page may load and do: its own files, nothing inline, nothing from elsewhere, in no frame. */
export const pagePolicy = {
  'default-src': `'none'`,
  'script-src': `'self'`,
  'style-src': `'self'`,
  'img-src': `'self'`,
  'font-src': `'self'`,
  'connect-src': `'self'`,
  'manifest-src': `'self'`,
  'base-uri': `'none'`,
  'form-action': `'self'`,
  'frame-ancestors': `'none'`,
  'object-src': `'none'`,
  'require-trusted-types-for': `'script'`,
  'trusted-types': `'none'`,
} as const;

/** A content security policy as its header has it. */
function writePolicy(directives: Policy): string {
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}

const featuresOff = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'clipboard-read',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
];

// Copying a token is the one thing that the dashboard asks of the browser.
const permissionsPolicy = [...featuresOff.map((name) => `${name}=()`), 'clipboard-write=(self)'].join(', ');

/** Two years, in seconds. */
const strictTransport = { 'Strict-Transport-Security': 'max-age=63072000' };

type Named = Pick<RequestContext, 'requestId'>;

interface SecurityHeaders {
  /** For the dashboard's files; whether and how they are cached is theirs to say. */
  page(response: Response, context: Named): Response;
  /** For data, which no cache may keep. */
  data(response: Response, context: Named): Response;
}

/**
 * Adds the headers to every answer that tell the browser what it must not do.
 *
 * @param options.publicUrl the origin that browsers use; without one there is no https to insist on
 * @param options.policy what pages may load and do, if not the usual
 */
export function createSecurityHeaders(options: { publicUrl?: string; policy?: Policy }): SecurityHeaders {
  const https = options.publicUrl !== undefined && new URL(options.publicUrl).protocol === 'https:';
  const always = {
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    ...(https && strictTransport),
  };
  const page = {
    ...always,
    'Content-Security-Policy': writePolicy(options.policy ?? pagePolicy),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': permissionsPolicy,
  };
  const data = { ...always, 'Cache-Control': 'no-store' };
  return {
    page: (response, { requestId }) => withHeaders(response, { ...page, 'X-Request-Id': requestId }),
    data: (response, { requestId }) => withHeaders(response, { ...data, 'X-Request-Id': requestId }),
  };
}

/** Not by a copy: its body would be a stream, which costs the listener more than all the headers. */
function withHeaders(response: Response, extra: Readonly<Record<string, string>>): Response {
  for (const [name, value] of Object.entries(extra)) response.headers.set(name, value);
  return response;
}
