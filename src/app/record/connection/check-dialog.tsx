import { useMemo, useState } from 'react';
import type { SubscriberDetail } from '../../../contract/service/subscriber.ts';
import { useLeavesFocus, useNow } from '../../components/app-context.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { countryCodes } from '../../../contract/service/countries.ts';
import { countryCode, spokenCountries } from '../../subscriber/countries.ts';
import { listWords } from '../../subscriber/subscriber-fields.ts';
import { EditDialog, type OfferedEdit } from '../edit-record.tsx';
import { checkConnection, isStop, unknownPlace, type RuleAnswer } from './check-connection.ts';
import { createConnectionReader, type Connection } from './read-connection.ts';
import styles from './check-dialog.module.css';

/** Longer texts are many lines of a log; reading them would take the page's time. */
const longest = 20_000;

/**
 * Says for each rule of a record whether it lets a connection through that a caller or a log describes. The text can hold
 * a token, so it stays in this dialog: it is not sent, kept or logged.
 */
export function CheckDialog(props: {
  subscriber: SubscriberDetail;
  etag: string | null;
  /** The name of the status. */
  status: string | undefined;
  /** The reason why the user cannot change the subscriber. */
  reason: string | undefined;
  onClose: () => void;
}) {
  const { subscriber } = props;
  const now = useNow();
  const [text, setText] = useState('');
  const [offered, setOffered] = useState<OfferedEdit | null>(null);
  const { userAgents } = subscriber;
  const read = useMemo(() => {
    const towns = townCodes();
    const townCode = (typed: string) => towns.get(typed.toLowerCase());
    return createConnectionReader(countryCode, spokenCountries(), townCode, userAgents);
  }, [userAgents]);
  const connection = useMemo(() => read(text), [read, text]);
  const answers = checkConnection(subscriber, props.status, now, connection);
  const isRead = Object.values(connection).some((list) => list.length > 0);
  // What the record alone says is known before anything is typed.
  const shown = isRead ? answers : answers.filter(isStop);
  const leavesFocus = useLeavesFocus();
  return (
    <>
      <Dialog title={`Check a connection of ${subscriber.username}`} onClose={props.onClose}>
        <Field
          label="What the caller says, or lines of a log"
          hint="IP address, app, country or format. This text isn’t sent or saved."
        >
          {(parts) => (
            <textarea
              {...parts}
              autoComplete="off"
              // Some browsers send what they check.
              spellCheck={false}
              maxLength={longest}
              rows={4}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <p role="status" className={styles.summary}>
          {summaryOf(text, connection, answers)}
        </p>
        {shown.length > 0 && (
          <ul className={`stack ${styles.answers}`} aria-label="Rules">
            {shown.map((answer) => (
              <li key={`${answer.rule} ${answer.because}`}>
                <Badge tone={words[answer.answer].tone}>{words[answer.answer].text}</Badge>
                <div>
                  <p>
                    <strong>{answer.rule}</strong>
                    <br />
                    {answer.because}
                  </p>
                  {answer.offers.length > 0 && (
                    <div className="row">
                      {answer.offers.map((edit) => (
                        <Button
                          key={edit.action}
                          ref={leavesFocus}
                          small
                          reason={props.reason}
                          onClick={() => setOffered(edit)}
                        >
                          {edit.action}…
                        </Button>
                      ))}
                    </div>
                  )}
                </div>
              </li>
            ))}
          </ul>
        )}
      </Dialog>
      {offered && <EditDialog {...props} edit={offered} onClose={() => setOffered(null)} />}
    </>
  );
}

const words = {
  yes: { tone: 'ok', text: 'Yes' },
  no: { tone: 'bad', text: 'No' },
  'probably not': { tone: 'warn', text: 'Probably not' },
  unknown: { tone: 'neutral', text: 'Can’t tell' },
} as const satisfies Record<RuleAnswer['answer'], { tone: Tone; text: string }>;

/** Names the rules that stop it. It never says that the connection works: some rules always stay open. */
function summaryOf(text: string, connection: Connection, answers: readonly RuleAnswer[]): string {
  const rulesOf = (answer: RuleAnswer['answer']) =>
    listWords([...new Set(answers.filter((one) => one.answer === answer).map(({ rule }) => rule))]);
  const [sure, probable] = [rulesOf('no'), rulesOf('probably not')];
  const { places, ...rest } = connection;
  const isOnlyPlaces = Object.values(rest).every((list) => list.length === 0);
  const sentences = [
    sure && `Stopped by: ${sure}.`,
    probable && `Probably ${sure ? 'also ' : ''}stopped by: ${probable}.`,
    isOnlyPlaces && places.map(unknownPlace).join(' '),
  ].filter(Boolean);
  if (text.trim() === '' || sentences.length > 0) return sentences.join(' ');
  if (isOnlyPlaces) return 'There is no IP address, app, country or format in this text.';
  return 'Nothing that can be checked stops it.';
}

/** The countries of the towns that the browser knows by their time zones, such as "oslo". */
function townCodes(): ReadonlyMap<string, string> {
  return new Map(
    [...countryCodes].flatMap((code) => {
      const locale: Intl.Locale & { getTimeZones?: () => string[] | undefined } = new Intl.Locale(
        `und-${code}`,
      );
      const zones = locale.getTimeZones?.() ?? [];
      return zones.map((zone) => [(zone.split('/').at(-1) ?? '').replaceAll('_', ' ').toLowerCase(), code]);
    }),
  );
}
