import { useState } from 'react';
import type { SubscriberWithLists } from '../../../contract/service/subscriber.ts';
import { updateSubscriber, useChange } from '../../api/changes.ts';
import { subscriberQuery } from '../../api/queries.ts';
import { usePermission } from '../../api/session.ts';
import { describeFailure, UnconfirmedNotice } from '../../changes/change-failure.tsx';
import { showDoneToast } from '../../changes/undo.tsx';
import { undoOfChange, undoKind } from '../../changes/undo-note.tsx';
import { useApp, useCommands, useNow } from '../../components/app-context.ts';
import { Button } from '../../components/button.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { dayOf, localTime } from '../../components/time.ts';
import { exactTime } from '../../components/exact-time.tsx';
import { useIsMounted } from '../../components/use-is-mounted.ts';
import { ExpiryField } from '../fields/expiry-field.tsx';
import { extend, extensions, usualStart, type ExtensionStart } from '../fields/expiry.ts';
import { inputOf } from '../fields/subscriber-fields.ts';
import styles from './extend.module.css';

/** Extends a subscription by one press: each button shows the new date, and the line below what it counts from. */
export function Extend(props: {
  subscriber: SubscriberWithLists;
  etag: string | null;
  /** Why nothing can be changed yet. */
  waiting: string | undefined;
}) {
  const { subscriber } = props;
  const now = useNow();
  const [chosen, setChosen] = useState<ExtensionStart>();
  const [picking, setPicking] = useState(false);
  const change = useNewExpiry(subscriber, props.etag);
  const reason = useReason(props);
  const expiry = Date.parse(subscriber.expiresAt);
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
            </Button>
          );
        })}
      </div>
      <p className={styles.rule}>
        {change.saving ?? (
          <>
            {!Number.isNaN(expiry) && ruleOf(expiry, now, from)} {undoKind(undoOfChange('updateSubscriber'))}.
          </>
        )}
      </p>
      <p role="status" className="visually-hidden">
        {change.saving}
      </p>
      <div className={styles.others}>
        {!Number.isNaN(expiry) && (
          <Button look="quiet" small onClick={() => setChosen(otherStart[from])}>
            Count from {nameOf(otherStart[from], expiry)}
          </Button>
        )}
        <Button look="quiet" small reason={reason} busy={change.isPending} onClick={() => setPicking(true)}>
          Pick a date…
        </Button>
      </div>
      <div role="alert">
        {change.unconfirmed && <UnconfirmedNotice unconfirmed={change.unconfirmed} done={done} />}
        {change.isError && (
          <Notice tone="bad">{describeFailure(change.error, done, 'Look at it here')}</Notice>
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
    <FormDialog
      title={`When does ${props.username} expire?`}
      action="Set expiry"
      onSubmit={save}
      onClose={props.onClose}
    >
      <ExpiryField
        label="New expiry"
        value={expiresAt}
        onChange={setExpiresAt}
        error={submitted && expiresAt === '' ? 'Enter a date and a time.' : undefined}
      />
    </FormDialog>
  );
}

const done = 'the expiry was changed';

const otherStart = { now: 'expiry', expiry: 'now' } as const;

const nameOf = (from: ExtensionStart, expiry: number) => (from === 'now' ? 'today' : dayOf(expiry));

/** What the buttons count from, and why. */
function ruleOf(expiry: number, now: number, from: ExtensionStart): string {
  const day = dayOf(expiry);
  const isPast = expiry <= now;
  const why = {
    now: isPast ? `as it expired on ${day}` : `not from ${day}, which is later`,
    expiry: isPast ? 'when it expired' : 'when it would expire',
  };
  return `Counted from ${nameOf(from, expiry)}, ${why[from]}.`;
}

function descriptionOf(next: number, now: number): string {
  const until = `The new expiry is ${exactTime(next)}`;
  return next > now ? `${until}.` : `${until}, which is over already.`;
}

function useReason({ subscriber, waiting }: Parameters<typeof Extend>[0]): string | undefined {
  const { reason } = usePermission('updateSubscriber');
  if (reason ?? waiting) return reason ?? waiting;
  return inputOf(subscriber)
    ? undefined
    : 'The service did not send all the lists, so saving could empty them.';
}

/** Saves the record as it is on the screen, with another expiry. */
function useNewExpiry(subscriber: SubscriberWithLists, etag: string | null) {
  const { id, username } = subscriber;
  const app = useApp();
  const { queryClient, toasts } = app;
  const isMounted = useIsMounted();
  const update = useChange(updateSubscriber, {
    onSuccess: (saved) => {
      queryClient.setQueryData(subscriberQuery(id).queryKey, saved);
      const text = `${username} expires on ${localTime(Date.parse(saved.data.expiresAt))}.`;
      showDoneToast(app, { text, operation: 'updateSubscriber', subscriberId: id });
    },
    onError: (error) => {
      if (!isMounted.current)
        toasts.show('bad', `${username}: ${describeFailure(error, done, 'Look at it')}`);
    },
  });
  const setExpiry = (expiresAt: string) => {
    const values = inputOf(subscriber);
    if (values) update.mutate({ id, etag, body: { ...values, expiresAt } });
  };
  const next = update.isPending ? Date.parse(update.variables.body.expiresAt) : null;
  return { ...update, setExpiry, saving: next === null ? null : `Saving ${dayOf(next)} as the new expiry…` };
}
