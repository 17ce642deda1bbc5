import { useState } from 'react';
import { statusOfActive } from '../../contract/service/limits.ts';
import { usePermission, useSession } from '../api/session.ts';
import { useCommands, useNow } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { describeCanWatch } from '../subscriber/can-watch.ts';
import {
  EditDialog,
  turnOn,
  useEditDisabledReason,
  type OfferedEdit,
  type ShownRecord,
} from './edit-record.tsx';
import styles from './pane.module.css';

const formats = ['hls', 'mpegTs'] as const;

/** True if the subscriber can watch, within which limits, and what can be done about it. */
export function PlaybackStatus(props: ShownRecord) {
  const { subscriber, complete } = props;
  const now = useNow();
  const statusHelp = useSession()?.statusHelp;
  const { tone, sentence, limits } = describeCanWatch(subscriber, props.status, now, statusHelp);
  const isHeld = props.status !== undefined && props.status !== statusOfActive;
  const reason = useEditDisabledReason(props);
  const [offered, setOffered] = useState<OfferedEdit | null>(null);
  const { username } = subscriber;
  const { allowed } = usePermission('updateSubscriber');
  const missing = !allowed || subscriber.hls || subscriber.mpegTs ? [] : formats;
  const edits = missing.map((format) => turnOn(format, username));
  useCommands(
    edits.map(
      (edit) =>
        reason === undefined && { name: `${edit.action}…`, about: username, run: () => setOffered(edit) },
    ),
  );

  return (
    <section className="stack" aria-label="Can watch">
      <Notice tone={tone}>
        <div className={`${styles.playback} ${isHeld ? styles.held : ''}`}>
          <p>{sentence}</p>
          {/* As high while it loads, so that the buttons below stay where they are. */}
          <p className={styles.limits}>
            {limits === null && !complete && <Skeleton width={24} />}
            {limits === null &&
              complete &&
              'Limits are unknown: the subscriber service didn’t send all the lists.'}
            {limits === '' ? 'No limits on countries, networks or apps.' : limits}
          </p>
        </div>
      </Notice>
      {edits.length > 0 && (
        <div className="row">
          {edits.map((edit) => (
            <Button key={edit.action} variant="primary" reason={reason} onClick={() => setOffered(edit)}>
              {edit.action}…
            </Button>
          ))}
        </div>
      )}
      {offered && <EditDialog {...props} edit={offered} onClose={() => setOffered(null)} />}
    </section>
  );
}
