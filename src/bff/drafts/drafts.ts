import { draftLimits, subscriberOf, type AnyDraft, type AnyStoredDraft } from '../../contract/bff/draft.ts';
import { invalidField, noSuchSubscriber } from '../../contract/http/problem.ts';
import type { BffDeps } from '../deps.ts';
import type { RequestContext } from '../http/context.ts';
import type { BffHandlers } from '../http/router.ts';
import { readPresent } from '../journal/previous-token.ts';
import type { Caller } from '../upstream/call.ts';
import { staffIdOf, type CurrentUser } from '../current-user.ts';

export function createDraftRoutes(parts: { drafts: Drafts; caller: Caller; db: BffDeps['db'] }) {
  const { drafts, caller, db } = parts;
  /** By the journal: it was deleted here, or erased, which empties the name. */
  const wasDeleted = async (id: number) => {
    const changes = db.selectFrom('journal').select('id').where('subscriber_id', '=', id);
    const ends = changes.where('kind', '=', 'change').where('outcome', '=', 'done');
    const end = ends.where((row) =>
      row.or([row('operation', '=', 'deleteSubscriber'), row('username', '=', '')]),
    );
    return (await end.limit(1).executeTakeFirst()) !== undefined;
  };
  /** A service that does not answer keeps nobody from saving what they typed of somebody who may be there. */
  const isDeleted = async (form: string, context: RequestContext, user: CurrentUser) => {
    const id = subscriberOf(form);
    if (id === null) return false;
    return readPresent(caller, id, context, user).then(
      (found) => found === null,
      async () => wasDeleted(id),
    );
  };
  return {
    getDraft: async ({ params }, _, user) => await drafts.find(user, params.id),
    async keepDraft({ params: { id }, body }, context, user) {
      if ('line' in body !== id.startsWith('note-'))
        throw invalidField(
          'body',
          'Send a line for the draft of a note, and the whole form for another one.',
        );
      // Once for each form: who goes on typing while somebody deletes the subscriber keeps the text.
      if ((await drafts.find(user, id)) === null && (await isDeleted(id, context, user)))
        throw noSuchSubscriber();
      await drafts.keep(user, id, body);
    },
    async dropDraft({ params }, _, user) {
      await drafts.drop(user, params.id);
    },
    listEditors: async ({ params }, _, user) => await drafts.editors(user, String(params.id)),
  } satisfies Partial<BffHandlers>;
}

type Owner = Pick<CurrentUser, 'staffId'>;

export type Drafts = ReturnType<typeof createDrafts>;

/**
 * Keeps what users typed and have not saved yet. It is here and not in the browser, because it is personal data, which
 * must be gone from a machine when its user has signed out.
 */
export function createDrafts({ db, clock }: Pick<BffDeps, 'db' | 'clock'>) {
  return {
    async find(user: Owner, form: string): Promise<AnyStoredDraft> {
      const row = await db
        .selectFrom('drafts')
        .select(['body', 'saved_at'])
        .where('owner', '=', staffIdOf(user))
        .where('form', '=', form)
        .where('saved_at', '>', clock() - draftLimits.life)
        .executeTakeFirst();
      if (!row) return null;
      // Written by `keep`, which got it from the contract.
      const draft = JSON.parse(row.body) as AnyDraft;
      return { ...draft, savedAt: new Date(row.saved_at).toISOString() };
    },
    async keep(user: Owner, form: string, draft: AnyDraft) {
      const [owner, now] = [staffIdOf(user), clock()];
      const stored = { body: JSON.stringify(draft), saved_at: now };
      await db
        .insertInto('drafts')
        .values({ owner, form, ...stored })
        .onConflict((conflict) => conflict.columns(['owner', 'form']).doUpdateSet(stored))
        .execute();
      await deleteExpiredDrafts(db, now);
      await dropOldest(owner);
    },
    async drop(user: Owner, form: string) {
      await db.deleteFrom('drafts').where('owner', '=', staffIdOf(user)).where('form', '=', form).execute();
    },
    /** Finds who else typed into a form within the last minutes, by name. */
    async editors(user: Owner, form: string) {
      const rows = await db
        .selectFrom('drafts')
        .innerJoin('staff', 'staff.id', 'drafts.owner')
        .select(['staff.name', 'staff.issuer'])
        .where('drafts.form', '=', form)
        .where('drafts.owner', '!=', staffIdOf(user))
        .where('drafts.saved_at', '>', clock() - draftLimits.editing)
        .orderBy('staff.name_key')
        .execute();
      return rows.map(({ name, issuer }) => ({ name, singleSignOn: issuer !== null }));
    },
  };

  async function dropOldest(owner: string): Promise<void> {
    const forms = await db
      .selectFrom('drafts')
      .select('form')
      .where('owner', '=', owner)
      .orderBy('saved_at', 'desc')
      .orderBy('form')
      .execute();
    const old = forms.slice(draftLimits.drafts).map(({ form }) => form);
    if (old.length > 0)
      await db.deleteFrom('drafts').where('owner', '=', owner).where('form', 'in', old).execute();
  }
}

export async function deleteExpiredDrafts(db: BffDeps['db'], now: number): Promise<void> {
  await db
    .deleteFrom('drafts')
    .where('saved_at', '<=', now - draftLimits.life)
    .execute();
}
