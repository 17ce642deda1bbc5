import { createService } from '../../src/service/service.ts';
import { createDice } from '../../src/service/samples/dice.ts';
import { setApiClient } from '../../src/service/oauth/api-clients.ts';
import { scopes } from '../../src/contract/service/token.ts';
import { describeConformance } from './conformance/suite.ts';
import { credentials, issuer, openStore } from '../support/service/harness.ts';

describeConformance(async () => {
  const db = await openStore();
  await setApiClient(db, { id: credentials.id, secrets: [credentials.secret], scopes });
  const clock = () => Date.parse('2026-06-01T12:00:00Z');
  const { fetch } = createService({ db, clock, random: createDice(1).bytes, issuer, log: () => {} });
  return { base: issuer, credentials, prefix: 'of-the-suite-', fetch };
});
