import { useRef, useState } from 'react';
import { usualStart, type ExtensionStart } from '../../contract/bff/extension.ts';
import { ReasonField } from '../subscriber/change-dialog.tsx';
import { useApp, useCommands, useNow } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { useShortcuts } from '../components/shortcuts.tsx';
import { dayOf, localTime } from '../components/format.ts';
import { exactTime } from '../components/exact-time.tsx';
import { enterDate, ExpiryField } from '../subscriber/expiry-field.tsx';
import { isExpired } from '../subscriber/expiry.ts';
import { extend, extensions } from '../subscriber/extensions.ts';
import { useEditDisabledReason, useSavedFields, type ShownRecord, type Version } from './edit-record.tsx';
import { statusOfActive } from '../../contract/service/limits.ts';
import { Section } from './section.tsx';
import { noteContact } from '../subscriber/message-text.ts';
import styles from './extend.module.css';

/** Extends a subscription by one press: each button shows its new date, and the line below says where it starts. */
export function Extend(props: ShownRecord) {
  const { subscriber, status } = props;
  const about = subscriber.username;
  const now = useNow();
  const [chosen, setChosen] = useState<ExtensionStart>();
  const [picking, setPicking] = useState(false);
  const [why, setWhy] = useState<string | null>(null);
  const { queryClient } = useApp();
  const saving = useSavedFields(props, {
    done: 'the expiry was changed',
    check: 'Check the expiry',
    text: ({ expiresAt }) =>
      `${about} ${isExpired(expiresAt, now) ? 'has been expired since' : 'now expires on'} ${localTime(Date.parse(expiresAt))}.`,
    tone: ({ expiresAt }) => (isExpired(expiresAt, now) ? 'warn' : 'ok'),
    onReply: ({ data }) => {
      if (!isExpired(data.expiresAt, now)) noteContact(queryClient, data, 'extended');
      setWhy(null);
    },
  });
  const setExpiry = (expiresAt: string, seen?: string | null) =>
    void saving.save({ expiresAt }, why ?? '', seen);
  const next = saving.isBusy && saving.sent ? Date.parse(String(saving.sent.input.body.expiresAt)) : null;
  const progress = next === null ? null : `Saving ${dayOf(next)} as the new expiry…`;
  const reason = useEditDisabledReason(props);
  const expiry = Date.parse(subscriber.expiresAt);
  const hasExpiry = !Number.isNaN(expiry);
  const from = chosen ?? usualStart(expiry, now);
  // Somebody whose status stops them is not helped by time.
  const helps = isExpired(subscriber.expiresAt, now) && (status === undefined || status === statusOfActive);
  const mayExtend = reason === undefined && !saving.isBusy;
  const first = useRef<HTMLButtonElement>(null);
  useShortcuts(mayExtend ? { extend: () => first.current?.focus() } : {});
  const steps = extensions.map((extension) => {
    const next = extend(expiry, extension, now, from);
    return { label: extension.label, at: next.getTime(), set: () => setExpiry(next.toISOString()) };
  });
  useCommands([
    ...steps.map(
      ({ label, at, set }) =>
        mayExtend && { name: `Extend by ${label.slice(1)}, to ${dayOf(at)}`, about, run: set },
    ),
    mayExtend && { name: 'Extend to a date…', about, run: () => setPicking(true) },
  ]);

  return (
    <Section
      name="Extend"
      tools={
        <>
          <Button variant="quiet" small reason={reason} busy={saving.isBusy} onClick={() => setPicking(true)}>
            Pick a date…
          </Button>
          <Button
            variant="quiet"
            small
            reason={reason}
            aria-expanded={why !== null}
            onClick={() => setWhy(why === null ? '' : null)}
          >
            {why === null ? 'Add reason' : 'Remove reason'}
          </Button>
        </>
      }
    >
      <div className={`row ${styles.steps}`}>
        {steps.map(({ label, at, set }, index) => (
          <Button
            key={label}
            ref={index === 0 ? first : undefined}
            variant={helps && label === usual.label ? 'primary' : 'plain'}
            reason={reason}
            busy={saving.isBusy}
            aria-description={descriptionOf(at, now)}
            onClick={set}
          >
            <span>{label}</span> <small className={at <= now ? styles.past : undefined}>{dayOf(at)}</small>
          </Button>
        ))}
      </div>
      <p className="aside">{progress ?? <>{hasExpiry && startOf(steps, expiry, now, from)}</>}</p>
      <p role="status" className="visually-hidden">
        {progress}
      </p>
      {hasExpiry && (
        <div role="group" aria-label="Start from" className="row aside">
          <span aria-hidden="true">Start from</span>
          {(['now', 'expiry'] as const).map((start) => (
            <Button
              key={start}
              variant="quiet"
              small
              aria-pressed={start === from}
              onClick={() => setChosen(start)}
            >
              {start === 'now' ? 'Today' : expiry > now ? 'Current expiry' : 'Old expiry'}
            </Button>
          ))}
        </div>
      )}
      {why !== null && <ReasonField value={why} onChange={setWhy} readOnly={saving.isBusy} takesFocus />}
      {picking && (
        <PickDateDialog
          username={subscriber.username}
          start={extend(expiry, usual, now)}
          etag={props.etag}
          onPick={setExpiry}
          onClose={() => setPicking(false)}
        />
      )}
    </Section>
  );
}

/** The extension that most customers pay for. */
const usual = extensions[1];

/** Asks for any other expiry. */
function PickDateDialog(props: {
  username: string;
  /** The first value of the field. */
  start: Date;
  etag: Version['etag'];
  /** @param expiresAt in UTC */
  onPick: (expiresAt: string, etag: Version['etag']) => void;
  onClose: () => void;
}) {
  // It changes the expiry that was on the screen: if somebody else saves meanwhile, this is refused.
  const [etag] = useState(props.etag);
  const [expiresAt, setExpiresAt] = useState(props.start.toISOString());
  const [submitted, setSubmitted] = useState(false);
  const save = () => {
    setSubmitted(true);
    if (expiresAt === '') return;
    props.onClose();
    props.onPick(expiresAt, etag);
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

/** A sentence about where the extension starts, and which ones end in the past: in one line, lest it moves what is below. */
function startOf(
  steps: readonly { label: string; at: number }[],
  expiry: number,
  now: number,
  from: ExtensionStart,
): string {
  const past = steps.filter(({ at }) => at <= now);
  const names = past.map(({ label }) => label).join(', ');
  const ends = past.length === steps.length ? ' All end in the past.' : names && ` Past: ${names}.`;
  if (from === 'expiry') return `Starts on ${dayOf(expiry)}.${ends}`;
  return `Starts today (${expiry > now ? 'expires' : 'expired'} ${dayOf(expiry)}).`;
}

function descriptionOf(next: number, now: number): string {
  const expiry = `The new expiry is ${exactTime(next)}`;
  return next > now ? `${expiry}.` : `${expiry}, which is in the past.`;
}
