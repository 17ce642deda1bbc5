import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { Person } from '../http/shapes.ts';
import { AccessToken, listNames } from '../service/subscriber.ts';

const accessToken = AccessToken.shape.accessToken.check(z.minLength(1, 'Enter an access token.'));

/** Asks for the subscriber with a token. */
export const FindByToken = z.strictObject({
  accessToken,
  include: z._default(z.array(z.enum(listNames)), []),
});

/** Asks for the subscriber that had a token before. */
export const FindFormerToken = z.strictObject({ accessToken });

/** Whose an access token was, and who ended it: it was replaced, or its subscriber deleted. `at` is in UTC. */
export const FormerToken = z.object({
  operation: z.enum(['regenerateToken', 'deleteSubscriber']),
  by: Person,
  at: z.string(),
  subscriber: z.object({ id: z.int(), username: z.string() }),
});
export type FormerToken = z.infer<typeof FormerToken>;
