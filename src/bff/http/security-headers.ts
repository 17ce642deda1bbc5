type Policy = Readonly<Record<string, string>>;

/** Directives for pages: they load their own files, nothing inline, nothing from elsewhere, in no frame. */
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

/**
 * The headers of every answer that tell the browser what it must not do. `page`: for the dashboard's files, whose age in
 * caches is theirs to say; `data`: for the rest, which no cache may keep.
 *
 * @param options.publicUrl the origin that browsers use; without one there is no https to insist on
 * @param options.policy what pages may load and do, if not the usual
 */
export function createSecurityHeaders(options: { publicUrl?: string; policy?: Policy }) {
  const https = options.publicUrl !== undefined && new URL(options.publicUrl).protocol === 'https:';
  const always = {
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    ...(https && strictTransport),
  };
  return {
    page: {
      ...always,
      'Content-Security-Policy': writePolicy(options.policy ?? pagePolicy),
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Permissions-Policy': permissionsPolicy,
    },
    data: { ...always, 'Cache-Control': 'no-store' },
  };
}
