import { ApiError } from '../../contract/http/client.ts';
import { isUncertain, type UnconfirmedChange } from '../api/send-idempotent.ts';
import { Button } from '../components/button.tsx';
import { reasonOf } from '../components/failure.tsx';
import { Notice } from '../components/notice.tsx';
import { nameOfPerson } from '../components/person-name.tsx';
import { clockTime } from '../components/time.ts';
import { isPartName, partLabels } from './subscriber-fields.ts';
import styles from './changes.module.css';

type Person = Parameters<typeof nameOfPerson>[0];

/**
 * What to tell the user about a change that ended with an error.
 *
 * @param done what would be true if the change had gone through, such as "the token was replaced"
 * @param check how to find out whether it did, such as "Check the list"
 * @param user the signed-in user, to whom their own changes are "you"
 */
export function describeFailure(error: Error, done: string, check: string, user?: Person): string {
  if (!(error instanceof ApiError)) return reasonOf(error);
  if (error.code === 'outcome-unknown')
    return `We don’t know whether ${done}. Wait half a minute. ${check} before you try again.`;
  if (isUncertain(error)) return `We don’t know whether ${done}. ${check} before you try again.`;
  if (error.code === 'changed-meanwhile')
    return `Nothing was done: ${describeConflict(error, user)}. ${check} before you try again.`;
  if (error.code === 'changed-since') return describeUndoConflict(error, user);
  return error.message;
}

/**
 * "Kari changed this subscriber after you opened it (14:00)", without a full stop; "someone" if nobody knows who.
 *
 * @param user the signed-in user, who may have changed it in another tab
 */
export function describeConflict(error: ApiError, user?: Person): string {
  const { changedBy } = error.obstacles;
  const who = changedBy ? nameOfPerson(changedBy) : 'someone';
  const sentence = `${isOwnChange(error, user) ? 'you' : who} changed this subscriber after you opened it`;
  return changedBy ? `${sentence} (${clockTime(Date.parse(changedBy.at))})` : sentence;
}

/** Whether the other change, for which this one was refused, is the user's own. */
export const isOwnChange = ({ obstacles: { changedBy } }: ApiError, user: Person | undefined): boolean =>
  changedBy ? isSamePerson(changedBy, user) : false;

/** Who changed the same fields later, and what to do: the user can undo only changes that are in the activity. */
function describeUndoConflict({ obstacles: { conflicts = [] } }: ApiError, user: Person | undefined): string {
  const later = [...Map.groupBy(conflicts, ({ by, at }) => `${by?.name} ${at}`).values()];
  const changes = later.map((fields) => {
    const [{ by, at } = { by: null, at: null }] = fields;
    const who = by === null ? 'someone' : isSamePerson(by, user) ? 'you' : nameOfPerson(by);
    const names = fields.map(({ field }) => (isPartName(field) ? partLabels[field] : field));
    return `${who} changed ${names.join(', ')} later${at === null ? '' : ` (${clockTime(Date.parse(at))})`}`;
  });
  const isKnown = later.length > 0 && conflicts.every(({ by }) => by !== null);
  const advice = isKnown
    ? `Undo ${later.length === 1 ? 'that' : 'those'} first.`
    : 'Edit the subscriber instead.';
  return `Nothing was undone: ${changes.join('; ') || 'someone changed it later'}. ${advice}`;
}

/** The names that single sign-on chooses may be those of others. */
const isSamePerson = (one: Person, other: Person | undefined) =>
  one.name === other?.name && !one.singleSignOn && !other.singleSignOn;

/** Says that it is unknown whether a change was done, and that the BFF is being asked. */
export function UnconfirmedNotice({ unconfirmed, done }: { unconfirmed: UnconfirmedChange; done: string }) {
  return (
    <Notice tone="warn">
      <div className={styles.unconfirmed}>
        <p>{unconfirmedText(done)}</p>
        <Button small busy={unconfirmed.asking} onClick={unconfirmed.askNow}>
          {unconfirmed.asking ? 'Checking…' : checkNow}
        </Button>
      </div>
    </Notice>
  );
}

/** The button that asks again without waiting. */
export const checkNow = 'Check now';

/** What to say while the answer to a change is lost; `done` as in `describeFailure`. */
export const unconfirmedText = (done: string): string =>
  `We don’t know yet whether ${done}. We’ll keep checking, and it won’t happen twice.`;
