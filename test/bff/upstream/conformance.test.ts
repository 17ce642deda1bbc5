import { afterAll, beforeEach, describe, expect } from 'vitest';
import { describeConformance } from '../../service/conformance/suite.ts';
import { createOtherService, otherUpstream, strictly } from '../../support/bff/other-service.ts';
import { createRestService, restUpstream } from '../../support/bff/rest-service.ts';
import { serveContract } from '../../support/bff/serve-contract.ts';

/** A few subscribers that are not the suite's. */
const filled = { count: 3, now: Date.now };

const services = {
  rest: () => restUpstream(createRestService(filled).fetch),
  strict: () => otherUpstream(createOtherService(filled, { strict: true }).fetch, strictly),
};

/** The tests of what the contract decides where the seed shows nothing, and another service decides otherwise. */
const ownDecisions = {
  'is found by a part of it, and one that is only like it is not': 'its filters regard case and accents',
  'sorts names by their code points without regard to case, up and down': 'its orders regard case',
  'is taken by what differs only in case or composition, and free beside anything else':
    'a username is taken only by the very same',
  'is refused to an update too where it is taken, which then changes nothing':
    'a username is taken only by the very same',
  'answers Active, Suspended and Blocked at least': 'its statuses are its own',
  'a status has id and name, a token access_token, token_type, expires_in and scope':
    'its token goes to the BFF alone',
  'finds by several statuses, by trial and by a value of each list': 'it has no extension',
  'finds the next ones by id after AfterId, and counts no others': 'it has no extension',
  'finds the nearest to a text, the most alike first, by username or email': 'it has no extension',
  'finds a part of the note, without regard to case and accents, and the last characters of the token':
    'it has no extension',
  'adds to each subscriber the lists that include names, in pages by number and after an ID':
    'it has no extension',
  'counts each subscriber once by status, plan and expiry, and in each bundle and country':
    'it has no extension',
};

/** Limits that one of them has by itself. */
const ownLimits = {
  rest: {
    'finds by the parts of an email, without regard to case': 'its filters regard case',
    'gives a token of 32 bytes in base64url, as a creation does': 'its tokens have a form of their own',
    'is stored and answered as it came, up to its limits':
      'it keeps whole seconds, up to the year 9999 in Oslo',
    'is trimmed in a username and an email, and an expiry is answered in UTC': 'it keeps whole seconds',
  },
  strict: {
    'leaves the id of a deleted subscriber to no other': 'it gives the number of one to the next',
  },
};

describe.each(['rest', 'strict'] as const)('the conformance of a service elsewhere: %s', (kind) => {
  const expected = Object.keys({ ...ownDecisions, ...ownLimits[kind] });
  const seen = new Set<string>();
  beforeEach(({ task }) => {
    seen.add(task.name);
    // It runs all the same, so that none is in the table that the service passes.
    Object.assign(task, { fails: expected.includes(task.name) });
  });
  afterAll(() => expect(expected.filter((name) => !seen.has(name))).toEqual([]));
  // Tokens are between the BFF and the service; versions and keys are the journal's.
  const without = ['POST /oauth/token', 'an ETag', 'If-Match', 'Idempotency-Key', 'every answer'];
  describeConformance(async () => serveContract(services[kind]()), { without });
});
