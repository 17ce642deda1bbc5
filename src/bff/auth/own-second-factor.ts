import type { Transaction } from 'kysely';
import type { EventDetails, EventName } from '../../contract/bff/journal.ts';
import type { AppSetup, ConfirmAppBody, Proof, SecondFactor } from '../../contract/bff/second-factor.ts';
import { seal, unseal } from '../../lib/crypto.ts';
import { invalidField, Problem } from '../../contract/http/problem.ts';
import type { BffDeps } from '../deps.ts';
import type { RecordEvent } from '../journal/events.ts';
import type { Sessions } from './sessions.ts';
import type { RequestContext } from '../http/context.ts';
import type { BffTables, StaffTable } from '../schema.ts';
import { forgetBrowsers, lockAccount, type KnownBrowsers } from './known-browsers.ts';
import { countRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts';
import {
  addFactor,
  factorsOf,
  hasSecondFactor,
  removeFactors,
  type LacksFactor,
  type SecondFactors,
} from './second-factor.ts';
import { endOtherSessions } from './session-store.ts';
import type { Attempts } from './attempts.ts';
import { makeTotpKey, stepOfCode, totpUri } from './totp.ts';
import type { CurrentUser } from '../current-user.ts';

type By = [context: RequestContext, user: CurrentUser];

/** What users do with the second factor of their own account. What changes it answers each `Set-Cookie` too. */
export interface OwnSecondFactor {
  get(...by: By): Promise<SecondFactor>;
  /** Shows that it is the user who acts on another account. Who has no password here has nothing to show it by. */
  prove(proof: Proof, ...by: By): Promise<void>;
  setUpApp(proof: Proof, ...by: By): Promise<AppSetup>;
  confirmApp(body: ConfirmAppBody, ...by: By): Promise<{ recoveryCodes: string[]; cookies: string[] }>;
  removeApp(proof: Proof, ...by: By): Promise<{ cookies: string[] }>;
  renewRecoveryCodes(proof: Proof, ...by: By): Promise<string[]>;
}

/** What changing the second factor of one's own account takes. */
export type FactorDeps = Pick<
  BffDeps,
  'db' | 'clock' | 'random' | 'passwords' | 'log' | 'secondFactorKey'
> & {
  sessions: Sessions;
  browsers: KnownBrowsers;
  attempts: Attempts;
  secondFactors: SecondFactors;
  recordEvent: RecordEvent;
  lacksFactor: LacksFactor;
};
type Deps = FactorDeps & {
  passkeys: {
    list(staffId: string): Promise<SecondFactor['passkeys']>;
    whyNone(host: string): string | null;
  };
};

/** How long a key may wait until its app is confirmed, in ms. */
const setupLife = 15 * 60_000;

/**
 * Each act but the confirmation needs a proof: an unattended screen must not be enough to take the account over. Wrong
 * proofs count like those at sign-in. A changed second factor ends all other sessions, which began without it.
 */
export function createOwnSecondFactor(deps: Deps): OwnSecondFactor {
  const { db, clock, random, browsers, secondFactors } = deps;
  const check = createProofCheck(deps);
  const change = createFactorChange(deps);

  /** Uses the proof up at once. */
  async function prove(proof: Proof, ...[context, user]: By): Promise<StaffTable> {
    const staff = await findOwn(db, user);
    const shown = await check(proof, staff, context);
    await db.transaction().execute(async (tx) => {
      await holdAccount(tx, staff);
      await shown.use(tx);
    });
    await shown.forget();
    return staff;
  }

  const remember = async ({ headers }: RequestContext, staff: StaffTable) =>
    [await browsers.remember(headers, staff)].filter((cookie) => cookie !== null);

  return {
    async get({ url }, { staffId }) {
      const id = staffId ?? '';
      const [app] = await factorsOf(db, id, 'totp');
      const recoveryCodes = await countRecoveryCodes(db, id);
      return {
        app: app ? { since: timeOf(app.created_at), lastUsedAt: timeOf(app.last_used_at) } : null,
        passkeys: await deps.passkeys.list(id),
        noPasskeys: deps.passkeys.whyNone(url.hostname),
        recoveryCodes,
      };
    },

    async prove(proof, context, user) {
      if (user.staffId !== null && !user.singleSignOn) await prove(proof, context, user);
    },

    async setUpApp(proof, context, user) {
      const staff = await prove(proof, context, user);
      const key = makeTotpKey(random);
      const until = clock() + setupLife;
      const setup = await seal('second-factor-setup', setupKey(deps, staff.id), { key, until }, random);
      return { key, uri: totpUri(key, staff.name), setup };
    },

    async confirmApp({ setup, code }, context, user) {
      const staff = await findOwn(db, user);
      const { key, until } = asSetup(await unseal('second-factor-setup', setupKey(deps, staff.id), setup));
      const now = clock();
      // One that ends too late was made by a clock that was ahead.
      if (until <= now || until > now + 2 * setupLife)
        throw invalidField('setup', 'This took too long. Nothing was changed. Begin again.');
      const counter = stepOfCode(key, code.replace(/[\s-]/g, ''), now);
      if (counter === null)
        throw invalidField(
          'code',
          'This code is wrong. Enter the six digits that the app shows now. If they stay wrong, check the clock of the device.',
        );
      const secret = await secondFactors.sealKey(staff.id, key);
      const recoveryCodes = await change('setUpSecondFactor', staff, context, async (tx) => {
        await removeFactors(tx, staff.id, 'totp');
        await addFactor(tx, { staffId: staff.id, kind: 'totp', secret, counter }, deps);
        return replaceRecoveryCodes(tx, staff.id, deps);
      });
      return { recoveryCodes, cookies: await remember(context, staff) };
    },

    async removeApp(proof, context, user) {
      const staff = await findOwn(db, user);
      const shown = await check(proof, staff, context);
      await change('removeSecondFactor', staff, context, async (tx) => {
        await shown.use(tx);
        if (!(await hasSecondFactor(tx, staff.id))) throw noSecondFactor();
        await removeFactors(tx, staff.id, 'totp');
      });
      await shown.forget();
      return { cookies: await remember(context, staff) };
    },

    async renewRecoveryCodes(proof, context, user) {
      const staff = await findOwn(db, user);
      const shown = await check(proof, staff, context);
      const codes = await change('renewRecoveryCodes', staff, context, async (tx) => {
        await shown.use(tx);
        if (!(await hasSecondFactor(tx, staff.id))) throw noSecondFactor();
        return replaceRecoveryCodes(tx, staff.id, deps);
      });
      await shown.forget();
      return codes;
    },
  };
}

/**
 * Changes the factors of an account in one transaction, which also ends its other sessions and writes the entry of the
 * journal; `describe` sets the details of that.
 */
export function createFactorChange({ db, clock, log, sessions, lacksFactor, recordEvent }: FactorDeps) {
  return async <T>(
    operation: EventName,
    staff: StaffTable,
    { headers, requestId }: RequestContext,
    work: (tx: Transaction<BffTables>, describe: (details: EventDetails) => void) => Promise<T>,
  ): Promise<T> => {
    const { id, name } = staff;
    const current = await sessions.keyOf(headers);
    const result = await db.transaction().execute(async (tx) => {
      await holdAccount(tx, staff);
      let details: EventDetails | undefined;
      const done = await work(tx, (given) => (details = given));
      if (operation !== 'renewRecoveryCodes') {
        await endOtherSessions(tx, id, current ?? '', clock());
        await forgetBrowsers(tx, id);
      }
      if (await lacksFactor({ staffId: id, role: staff.role, singleSignOn: false }, tx)) throw lastFactor();
      await recordEvent(tx, { operation, staff: { id, name }, requestId, ...(details && { details }) });
      return done;
    });
    log('info', 'second-factor-changed', { requestId, staffId: id, operation });
    return result;
  };
}

export function timeOf(at: number): string;
export function timeOf(at: number | null): string | null;
export function timeOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

const setupKey = ({ secondFactorKey }: Pick<Deps, 'secondFactorKey'>, staffId: string) =>
  `${secondFactorKey} ${staffId}`;

/** What `setUpApp` has sealed. @throws {Problem} `invalid-input` if it is something else */
function asSetup(unsealed: unknown): { key: string; until: number } {
  if (typeof unsealed !== 'object' || unsealed === null)
    throw invalidField(
      'setup',
      'This setup was not begun by your account. Nothing was changed. Begin again.',
    );
  // Sealed here and by no one else.
  return unsealed as { key: string; until: number };
}

const lastFactor = () =>
  new Problem(
    'second-factor-needed',
    'Your account needs a second factor here, so you cannot remove the last one. Set up another one instead.',
  );

const noSecondFactor = () =>
  invalidField('password', 'Your account has no second factor. Reload the page to see what it has.');

/** @throws {Problem} `decided-elsewhere` or `not-allowed` if the account cannot have a second factor here */
export async function findOwn(
  db: BffDeps['db'],
  { staffId, singleSignOn }: CurrentUser,
): Promise<StaffTable> {
  if (singleSignOn)
    throw new Problem(
      'decided-elsewhere',
      'You sign in with single sign-on. Your provider does this: set up a second factor there.',
    );
  const found = db
    .selectFrom('staff')
    .selectAll()
    .where('id', '=', staffId ?? '');
  const staff = await found.executeTakeFirst();
  if (!staff)
    throw new Problem('not-allowed', 'You did not sign in, so there is no account to protect here.');
  return staff;
}

/** Locks the account until the transaction ends. @throws {Problem} `not-signed-in` if it was changed meanwhile */
export async function holdAccount(tx: Transaction<BffTables>, staff: StaffTable): Promise<void> {
  if (!(await lockAccount(tx, staff)))
    throw new Problem(
      'not-signed-in',
      'Your account was changed in the meantime. Your second factor was not changed. Sign in and try again.',
    );
}

/** Checks a password at once, and a code in the transaction that it is used up in. */
export function createProofCheck({ passwords, log, browsers, secondFactors, attempts }: FactorDeps) {
  return async ({ password, code }: Proof, staff: StaffTable, context: RequestContext) => {
    const { headers, address, requestId } = context;
    const account = staff.name_key;
    const from = { account, address, browser: await browsers.find(headers, account) };
    const failed = (field: 'password' | 'code', sentence: string) => {
      log('warn', 'proof-failed', { requestId, staffId: staff.id });
      return invalidField(field, sentence);
    };
    if (code !== undefined) {
      const asked = await secondFactors.ask(staff.id, { code }, from);
      return {
        forget: () => asked.forget(),
        async use(tx: Transaction<BffTables>) {
          const used = await asked.use(tx).catch((error: unknown) => {
            if (error instanceof Problem && error.code === 'wrong-code') throw failed('code', error.message);
            throw error;
          });
          if (used === null)
            throw failed('code', 'Your account has no second factor. Enter your password instead.');
        },
      };
    }
    if (password === undefined) throw invalidField('password', 'Enter your password.');
    const forget = await attempts.count('password', from);
    if (!(await passwords.verify(password, staff.password_hash)))
      throw failed('password', 'This is not your password. Try again.');
    return { forget, use: async () => undefined };
  };
}
