import {
  createDefaults,
  type SubscriberInput,
  type SubscriberWithLists,
} from '../../../contract/subscriber.ts';

/** An empty form: the contract's defaults, and nothing where a person has to decide. */
export const emptyForm: SubscriberInput = { ...createDefaults, username: '', email: '', expiresAt: '' };

/**
 * What of a record is entered by people. Null where the service left a list out: saving without it could empty it.
 */
export function toFormValues(record: SubscriberWithLists): SubscriberInput | null {
  const { bundles, ipAddresses, userAgents, countries } = record;
  if (!bundles || !ipAddresses || !userAgents || !countries) return null;
  const { username, email, expiresAt, maxConnections, isTrial, note, hls, mpegTs } = record;
  const fields = { username, email, expiresAt, maxConnections, isTrial, note, hls, mpegTs };
  return { ...fields, bundles, ipAddresses, userAgents, countries };
}

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
