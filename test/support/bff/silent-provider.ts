import type { SingleSignOn } from '../../../src/bff/http/bff.ts';

/** An OpenID provider that never answers. */
export const silentProvider: SingleSignOn = {
  issuer: 'https://id.example',
  clientId: 'bff',
  clientSecret: 'long and random',
  roleClaim: 'roles',
  tokenKey: 'A'.repeat(43),
  fetch: () => Promise.reject(new Error('The provider is down.')),
};
