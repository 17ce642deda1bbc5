import { describeFailure } from '../../changes/change-failure.tsx';
import { RequestId } from '../../components/failure.tsx';
import type { Fate, Fates, Target } from './delete-run.ts';
import styles from './target-list.module.css';

/** All of them by name and, as it goes on, what became of each; in the end those come first who are still there. */
export function TargetList(props: {
  targets: readonly Target[];
  fates: Fates;
  phase: 'asking' | 'running' | 'over';
}) {
  const { targets, fates, phase } = props;
  const rank = ({ id }: Target) => {
    const fate = fates.get(id);
    return fate && 'error' in fate ? 0 : fate ? 2 : 1;
  };
  const ordered = phase === 'over' ? targets.toSorted((one, other) => rank(one) - rank(other)) : targets;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, which keys have to be able to do
    <div className={styles.frame} role="group" aria-label="Subscribers to delete" tabIndex={0}>
      <ul className={styles.list}>
        {ordered.map(({ id, username, email }) => {
          const fate = fates.get(id);
          return (
            <li key={id}>
              <strong>{username}</strong> <span className={styles.email}>{email}</span>
              {phase !== 'asking' && (
                <span className={styles.fate} data-state={fate?.state}>
                  {fate ? words[fate.state] : phase === 'over' ? 'Not tried' : ''}
                </span>
              )}
              {fate && 'error' in fate && (
                <div className={styles.why}>
                  {describeFailure(fate.error, 'it was deleted', 'Look at it')}
                  <RequestId error={fate.error} />
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const words: Readonly<Record<Fate['state'], string>> = {
  deleting: 'Deleting…',
  deleted: 'Deleted',
  gone: 'Not there any more',
  kept: 'Not deleted',
  unknown: 'Not known',
};
