import type { RecordPart } from '../../../contract/bff/journal.ts';
import type { SubscriberInput } from '../../../contract/service/subscriber-input.ts';

/** What the fields are called that people enter, in the order of the form. */
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

export const isFieldName = (name: string): name is keyof SubscriberInput => Object.hasOwn(fieldLabels, name);

export type PartName = keyof RecordPart;

/** What everything is called that a change can change. */
export const partLabels: Readonly<Record<PartName, string>> = {
  ...fieldLabels,
  status: 'Status',
  accessToken: 'Access token',
};

export const partNames = Object.keys(partLabels) as PartName[];
export const isPartName = (name: string): name is PartName => Object.hasOwn(partLabels, name);
