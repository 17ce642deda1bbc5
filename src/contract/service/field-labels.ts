import type { SubscriberInput } from './subscriber-input.ts';

/** The labels of the fields that people enter, in the order of the form; also the headings of files. */
export const fieldLabels: Readonly<Record<keyof SubscriberInput, string>> = {
  username: 'Username',
  email: 'Email',
  expiresAt: 'Expires',
  maxConnections: 'Connection limit',
  isTrial: 'Trial',
  note: 'Note',
  hls: 'HLS',
  mpegTs: 'MPEG-TS',
  bundles: 'Bundles',
  ipAddresses: 'IP addresses',
  userAgents: 'User agents',
  countries: 'Countries',
};
