/** A body with what is required and nothing else. */
export const anna = { username: 'Anna', email: 'anna@example.com', expiresAt: '2026-12-31T22:00:00.000Z' };

/** A body with every field, none at its default. */
export const annaWhole = {
  ...anna,
  maxConnections: 3,
  isTrial: true,
  note: 'First line\nsecond line – "quoted" 👍',
  hls: false,
  mpegTs: false,
  bundles: [30, 7, Number.MAX_SAFE_INTEGER],
  ipAddresses: ['203.0.113.7', '192.0.2.0/24', '2001:db8::1'],
  userAgents: ['VLC/3.0', 'Player "X" (100 %)'],
  countries: ['SE', 'NO'],
};
