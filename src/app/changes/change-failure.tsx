import { ApiError } from '../../contract/http/client.ts';
import { isUncertain, type UnconfirmedChange } from '../api/send-idempotent.ts';
import { Button } from '../components/button.tsx';
import { reasonOf } from '../components/failure.tsx';
import { Notice } from '../components/notice.tsx';
import { nameOfPerson } from '../components/person-name.tsx';
import { localTime } from '../components/time.ts';
import { isPartName, partLabels } from '../subscribers/fields/subscriber-fields.ts';
import styles from './changes.module.css';

/**
 * What to tell a person about a change that ended with an error.
 *
 * @param done what would be true if the change had gone through, such as "the token was replaced"
 * @param look how to find out whether it did, such as "Close this and look"
 */
export function describeFailure(error: Error, done: string, look: string): string {
  if (!(error instanceof ApiError)) return reasonOf(error);
  if (error.code === 'outcome-unknown')
    return `The service did not say whether ${done}, and the desk could not find out. Wait half a minute. ${look} before you try again.`;
  if (isUncertain(error))
    return `No answer came back that says whether ${done}. ${look} before you try again.`;
  if (error.code === 'changed-meanwhile')
    return `${changerOf(error)} changed this subscriber since you opened it. Nothing was done. ${look} before you try again.`;
  if (error.code === 'changed-since')
    return `${describeConflicts(error)} Nothing was undone. ${look}, and change it by hand.`;
  return error.message;
}

/** Who caused a conflict, and when, if it is known: "Kari (on 1 Jun 2026, 14:00)", else "Somebody". */
export function changerOf({ obstacles: { changedBy } }: ApiError): string {
  return changedBy ? personAndTime(changedBy, changedBy.at) : 'Somebody';
}

/** Who changed which field since, one sentence for each person. */
function describeConflicts({ obstacles: { conflicts = [] } }: ApiError): string {
  const byPerson = Map.groupBy(conflicts, ({ by, at }) => (by && at ? personAndTime(by, at) : 'Somebody'));
  if (byPerson.size === 0) return 'Somebody changed it since.';
  return [...byPerson]
    .map(([person, fields]) => {
      const names = fields.map(({ field }) => (isPartName(field) ? partLabels[field] : field));
      return `${person} changed ${names.join(', ')} since.`;
    })
    .join(' ');
}

const personAndTime = (person: Parameters<typeof nameOfPerson>[0], at: string) =>
  `${nameOfPerson(person)} (on ${localTime(Date.parse(at))})`;

/** Says that the answer to a change was lost and is being asked for again. */
export function UnconfirmedNotice({ unconfirmed, done }: { unconfirmed: UnconfirmedChange; done: string }) {
  return (
    <Notice tone="warn">
      <div className={styles.unconfirmed}>
        <p>{unconfirmedText(done)}</p>
        <Button small busy={unconfirmed.asking} onClick={unconfirmed.askNow}>
          {unconfirmed.asking ? 'Asking…' : 'Try again'}
        </Button>
      </div>
    </Notice>
  );
}

/** What to say while the answer to a change is lost; `done` as in `describeFailure`. */
export const unconfirmedText = (done: string): string =>
  `No answer came back that says whether ${done}. The desk asks again by itself, and nothing is done twice.`;
