import type { RecordPart } from '../../contract/bff/journal.ts';
import { listNames, type SubscriberWithLists } from '../../contract/service/subscriber.ts';
import type { SubscriberInput } from '../../contract/service/subscriber-input.ts';

/** The labels of the fields that people enter, in the order of the form. */
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

/** Why a subscriber cannot be edited whose lists are not all known. */
export const listsMissing =
  'You can’t edit this: the subscriber service didn’t send all the lists, and saving could empty them.';

/** The fields that people enter. Null if the service left out a list: saving without it could empty that list. */
export function inputOf(subscriber: SubscriberWithLists): SubscriberInput | null {
  if (listNames.some((name) => subscriber[name] === undefined)) return null;
  const entered = Object.entries(subscriber).filter(([name]) => isFieldName(name));
  // A subscriber with all its lists has every field of the input.
  return Object.fromEntries(entered) as SubscriberInput;
}

export type PartName = keyof RecordPart;

/** The labels of everything that a change can affect. */
export const partLabels: Readonly<Record<PartName, string>> = {
  ...fieldLabels,
  status: 'Status',
  accessToken: 'Access token',
};

export const partNames = Object.keys(partLabels) as PartName[];
export const isPartName = (name: string): name is PartName => Object.hasOwn(partLabels, name);
