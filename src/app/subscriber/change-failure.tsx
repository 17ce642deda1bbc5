import { ApiError } from '../../contract/http/client.ts';
import { describeError, isSamePerson } from '../api/errors.ts';
import { UnconfirmedNotice as Unconfirmed, type Unconfirmed as State } from '../components/notice.tsx';
import { nameOfPerson } from '../components/person-name.tsx';
import { clockTime } from '../components/time.ts';
import { isPartName, partLabels } from './subscriber-fields.ts';

export { checkNow, unconfirmedText } from '../components/notice.tsx';

type Person = Parameters<typeof nameOfPerson>[0];

/** The sentences about a change that ended with an error. */
export function describeFailure(error: Error, done: string, check: string, user?: Person): string {
  if (error instanceof ApiError && error.code === 'changed-since') return describeUndoConflict(error, user);
  return describeError(error, { done, check, user });
}

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

/** Says that it is unknown whether a change was done, and that the BFF is being asked. */
export function UnconfirmedNotice({ unconfirmed, done }: { unconfirmed: State; done: string }) {
  return <Unconfirmed acting={{ unconfirmed, done, isBusy: true, failure: null, fields: {} }} />;
}
