// Without schemas, because the first view needs these.

/** Limits of a subscriber's fields. Lengths count characters (code points), not UTF-16 units. */
export const limits = {
  username: 64,
  email: 254,
  connections: 1000,
  note: 2000,
  bundles: 200,
  ipAddresses: 100,
  /** The longest IPv6 range. */
  ipAddress: 49,
  userAgents: 100,
  userAgent: 256,
  countries: 249,
  accessToken: 256,
} as const;

/** The names of the four lists, as `include` takes them. */
export const listNames = ['bundles', 'ipAddresses', 'userAgents', 'countries'] as const;
export type ListName = (typeof listNames)[number];

/** The name of the status of a subscriber who can watch, and of every new one. */
export const statusOfActive = 'Active';
