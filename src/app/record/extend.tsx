import { useState } from 'react';
import { usualStart, type ExtensionStart } from '../../contract/bff/extension.ts';
import type { SubscriberWithLists } from '../../contract/service/subscriber.ts';
import { updateSubscriber, useChange } from '../api/changes.ts';
import { subscriberQuery } from '../api/queries.ts';
import { useSession } from '../api/session.ts';
import { ReasonField } from '../subscriber/change-dialog.tsx';
import { describeFailure, UnconfirmedNotice } from '../subscriber/change-failure.tsx';
import { showDoneToast } from '../subscriber/undo.tsx';
import { useApp, useCommands, useNow } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { Notice } from '../components/notice.tsx';
import { dayOf, localTime } from '../components/time.ts';
import { exactTime } from '../components/exact-time.tsx';
import { useIsMounted } from '../components/use-is-mounted.ts';
import { enterDate, ExpiryField } from '../subscriber/expiry-field.tsx';
import { isExpired } from '../subscriber/expiry.ts';
import { extend, extensions } from '../subscriber/extensions.ts';
import { inputOf } from '../subscriber/subscriber-fields.ts';
import { useWhyNoEdit, type ShownRecord } from './edit-record.tsx';
import { noteOccasion } from '../subscriber/last-occasion.ts';
import styles from './extend.module.css';

/** Extends a subscription by one press: each button shows its new date, and the line below says where it starts. */
export function Extend(props: ShownRecord) {
  const { subscriber } = props;
  const now = useNow();
  const [chosen, setChosen] = useState<ExtensionStart>();
  const [picking, setPicking] = useState(false);
  const user = useSession()?.staff;
  const [why, setWhy] = useState<string | null>(null);
  const change = useNewExpiry(subscriber, props.etag, why ?? '', () => setWhy(null));
  const reason = useWhyNoEdit(props);
  const expiry = Date.parse(subscriber.expiresAt);
  const hasExpiry = !Number.isNaN(expiry);
  const from = chosen ?? usualStart(expiry, now);
  const about = subscriber.username;
  const mayExtend = reason === undefined && !change.isPending;
  useCommands([
    ...extensions.map((extension) => {
      const next = extend(expiry, extension, now, from);
      const name = `Extend by ${extension.label.slice(1)}, to ${dayOf(next.getTime())}`;
      return mayExtend && { name, about, run: () => change.setExpiry(next.toISOString()) };
    }),
    mayExtend && { name: 'Extend to a date…', about, run: () => setPicking(true) },
  ]);

  return (
    <section className={styles.extend} aria-label="Extend">
      <div className={styles.steps}>
        {extensions.map((extension) => {
          const next = extend(expiry, extension, now, from);
          return (
            <Button
              key={extension.label}
              reason={reason}
              busy={change.isPending}
              aria-description={descriptionOf(next.getTime(), now)}
              onClick={() => change.setExpiry(next.toISOString())}
            >
              <span>{extension.label}</span> <small>{dayOf(next.getTime())}</small>
              {next.getTime() <= now && <small className={styles.past}>In the past</small>}
            </Button>
          );
        })}
      </div>
      <p className={styles.rule}>
        {change.saving ?? (
          <>
            {hasExpiry && startOf(expiry, now, from)} {reason === undefined && 'You can undo this.'}
          </>
        )}
      </p>
      <p role="status" className="visually-hidden">
        {change.saving}
      </p>
      <div className={styles.others}>
        {hasExpiry && (
          <div role="group" aria-label="Start from">
            <span aria-hidden="true">Start from</span>
            {(['now', 'expiry'] as const).map((start) => (
              <Button
                key={start}
                look="quiet"
                small
                aria-pressed={start === from}
                onClick={() => setChosen(start)}
              >
                {start === 'now' ? 'Today' : expiry > now ? 'Current expiry' : 'Old expiry'}
              </Button>
            ))}
          </div>
        )}
        <div>
          <Button look="quiet" small reason={reason} busy={change.isPending} onClick={() => setPicking(true)}>
            Pick a date…
          </Button>
          <Button
            look="quiet"
            small
            reason={reason}
            aria-expanded={why !== null}
            onClick={() => setWhy(why === null ? '' : null)}
          >
            {why === null ? 'Add reason' : 'No reason'}
          </Button>
        </div>
      </div>
      {why !== null && <ReasonField value={why} onChange={setWhy} readOnly={change.isPending} />}
      <div role="alert">
        {change.unconfirmed && <UnconfirmedNotice unconfirmed={change.unconfirmed} done={done} />}
        {change.isError && (
          <Notice tone="bad">{describeFailure(change.error, done, 'Check the expiry', user)}</Notice>
        )}
      </div>
      {picking && (
        <PickDateDialog
          username={subscriber.username}
          start={extend(expiry, extensions[1], now)}
          onPick={change.setExpiry}
          onClose={() => setPicking(false)}
        />
      )}
    </section>
  );
}

/** Asks for any other expiry. */
function PickDateDialog(props: {
  username: string;
  /** The first value of the field. */
  start: Date;
  /** @param expiresAt in UTC */
  onPick: (expiresAt: string) => void;
  onClose: () => void;
}) {
  const [expiresAt, setExpiresAt] = useState(props.start.toISOString());
  const [submitted, setSubmitted] = useState(false);
  const save = () => {
    setSubmitted(true);
    if (expiresAt === '') return;
    props.onClose();
    props.onPick(expiresAt);
  };
  return (
    <ConfirmDialog
      title={`Set expiry for ${props.username}`}
      action="Set expiry"
      onSubmit={save}
      onClose={props.onClose}
    >
      <ExpiryField
        label="New expiry"
        value={expiresAt}
        onChange={setExpiresAt}
        error={submitted && expiresAt === '' ? enterDate : undefined}
      />
    </ConfirmDialog>
  );
}

const done = 'the expiry was changed';

/** Where the extension starts. */
function startOf(expiry: number, now: number, from: ExtensionStart): string {
  if (from === 'expiry') return `Starts on ${dayOf(expiry)}.`;
  return `Starts today (${expiry > now ? 'expires' : 'expired'} ${dayOf(expiry)}).`;
}

function descriptionOf(next: number, now: number): string {
  const expiry = `The new expiry is ${exactTime(next)}`;
  return next > now ? `${expiry}.` : `${expiry}, which is in the past.`;
}

/** Saves the record as it is on the screen, with a new expiry. */
function useNewExpiry(
  subscriber: SubscriberWithLists,
  etag: string | null,
  reason: string,
  onSaved: () => void,
) {
  const { id, username } = subscriber;
  const now = useNow();
  const app = useApp();
  const { queryClient, toasts } = app;
  const user = useSession()?.staff;
  const isMounted = useIsMounted();
  const update = useChange(updateSubscriber, {
    onSuccess: (saved) => {
      queryClient.setQueryData(subscriberQuery(id).queryKey, saved);
      const { expiresAt } = saved.data;
      const time = localTime(Date.parse(expiresAt));
      const result = isExpired(expiresAt, now)
        ? ({ tone: 'warn', text: `${username} has been expired since ${time}.` } as const)
        : { text: `${username} now expires on ${time}.` };
      showDoneToast(app, { ...result, operation: 'updateSubscriber', username, entry: saved.entry });
      if (!isExpired(expiresAt, now)) noteOccasion(queryClient, saved.data, 'extended');
      onSaved();
    },
    onError: (error) => {
      if (!isMounted.current)
        toasts.show('bad', `${username}: ${describeFailure(error, done, 'Check the subscriber', user)}`);
    },
  });
  const setExpiry = (expiresAt: string) => {
    const values = inputOf(subscriber);
    if (values) update.mutate({ id, etag, body: { ...values, expiresAt }, reason });
  };
  const next = update.isPending ? Date.parse(update.variables.body.expiresAt) : null;
  return { ...update, setExpiry, saving: next === null ? null : `Saving ${dayOf(next)} as the new expiry…` };
}
