import { DatabaseError } from 'pg';
import { expect, test } from 'vitest';
import { isUsernameTaken } from '../../../src/service/subscribers/store.ts';

/** As `pg` makes it of what the server answers. */
function violationOf(constraint: string, message: string) {
  return Object.assign(new DatabaseError(message, message.length, 'error'), { code: '23505', constraint });
}

test.each([
  'duplicate key value violates unique constraint "subscribers_username_search"',
  'doppelter Schlüsselwert verletzt Unique-Constraint „subscribers_username_search“',
  'la valeur d’une clé dupliquée rompt la contrainte unique « subscribers_username_search »',
])('a taken username is known in whatever language PostgreSQL says so: %s', (message) => {
  expect(isUsernameTaken(violationOf('subscribers_username_search', message))).toBe(true);
  expect(
    isUsernameTaken(
      violationOf('subscribers_access_token', message.replace('username_search', 'access_token')),
    ),
  ).toBe(false);
});
