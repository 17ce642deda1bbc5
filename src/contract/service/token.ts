import '../http/zod-config.ts';
import * as z from 'zod/mini';

/**
 * The form of a client-credentials request (RFC 6749 section 4.4.2). Every field is optional, because a missing field
 * is answered with an OAuth error, not with a 422.
 */
export const TokenRequest = z.object({
  grant_type: z.optional(z.string()),
  client_id: z.optional(z.string()),
  client_secret: z.optional(z.string()),
  scope: z.optional(z.string()),
});
export type TokenRequest = z.infer<typeof TokenRequest>;

/** `expires_in` is in seconds. Other services may leave out the optional fields. */
export const TokenAnswer = z.object({
  access_token: z.string(),
  token_type: z.string(),
  expires_in: z.optional(z.number()),
  scope: z.optional(z.string()),
});
export type TokenAnswer = z.infer<typeof TokenAnswer>;

/** OAuth's error codes, with the HTTP status of each. */
export const tokenErrors = {
  invalid_request: 404,
  invalid_client: 401,
  unsupported_grant_type: 401,
  invalid_scope: 400,
} as const;
export type TokenErrorCode = keyof typeof tokenErrors;

/** The scopes of access tokens. */
export const scopes = ['subscribers:read', 'subscribers:write'] as const;
export type Scope = (typeof scopes)[number];
