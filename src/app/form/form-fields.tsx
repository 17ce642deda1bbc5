import { useState } from 'react';
import { useController, useWatch, type Control, type UseFormReturn } from 'react-hook-form';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { listNames, type ListName } from '../../contract/service/limits.ts';
import { SubscriberInput, fieldLabels } from '../../contract/service/subscriber-input.ts';
import { useSession } from '../api/session.ts';
import { useNow } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { counted, dayOf } from '../components/format.ts';
import { CheckBox, Field } from '../components/field.tsx';
import { ExpiryField } from '../subscriber/expiry-field.tsx';
import { extend, extensions } from '../subscriber/extensions.ts';
import { ListChips } from '../subscriber/list-chips.tsx';
import { listHints } from '../subscriber/list-values.ts';
import styles from './subscriber-form.module.css';
import type { ListQuery } from '../../contract/service/list-query.ts';
import { searchText } from '../../contract/service/search-text.ts';
import type { Subscriber } from '../../contract/service/subscriber.ts';
import { apiOf } from '../api/api.ts';
import type { AfterPress } from '../components/use-after-press.ts';

type FormControl = Control<SubscriberInput>;

/** The expiry, and buttons below it for the usual extensions. */
export function ExpiryWithExtensions({ control }: { control: FormControl }) {
  const now = useNow();
  const { field, fieldState } = useController({ control, name: 'expiresAt' });
  const at = Date.parse(field.value);
  return (
    <div className="stack">
      <ExpiryField
        label={fieldLabels.expiresAt}
        value={field.value}
        onChange={field.onChange}
        onBlur={field.value === '' && !fieldState.isDirty ? undefined : field.onBlur}
        error={fieldState.error && (fieldState.error.message ?? '')}
        inputRef={field.ref}
      />
      <div className="row" role="group" aria-label="Extend">
        {extensions.map((extension) => {
          const next = extend(at, extension, now);
          return (
            <Button
              key={extension.label}
              small
              title={`To ${dayOf(next.getTime())}, starting ${at > now ? 'at the current expiry' : 'today'}`}
              onClick={() => field.onChange(next.toISOString())}
            >
              {extension.label}
            </Button>
          );
        })}
      </div>
    </div>
  );
}

/** The fields that are on or off. */
export function DeliveryFields({ form }: { form: UseFormReturn<SubscriberInput> }) {
  const [hls, mpegTs] = useWatch({ control: form.control, name: ['hls', 'mpegTs'] });
  const trial = useTrialExpiry(form);
  return (
    <fieldset>
      <legend>Delivery and plan</legend>
      <div className="row">
        {(['hls', 'mpegTs', 'isTrial'] as const).map((name) => (
          <CheckBox
            key={name}
            {...form.register(name, name === 'isTrial' ? { onChange: trial.propose } : {})}
          >
            {fieldLabels[name]}
          </CheckBox>
        ))}
      </div>
      <div className={styles.below}>
        <p className="aside" role="status">
          {/* The warning takes its place. */}
          {(hls || mpegTs) && trial.sentence}
        </p>
        <p className="warning" role="status">
          {!hls && !mpegTs && 'Without HLS or MPEG-TS, they probably can’t watch.'}
        </p>
      </div>
    </fieldset>
  );
}

/**
 * Proposes an expiry when Trial is ticked, at the end of its last day, and takes it back when Trial is unticked. What
 * somebody entered stays, and so does a saved expiry that has not passed: nobody loses days they paid for.
 */
function useTrialExpiry({ control, getValues, setValue, formState }: UseFormReturn<SubscriberInput>) {
  const now = useNow();
  const days = useSession()?.trialDays;
  const [proposal, setProposal] = useState<{ before: string; expiresAt: string } | null>(null);
  const expiresAt = useWatch({ control, name: 'expiresAt' });
  const { expiresAt: isEntered } = formState.dirtyFields;
  const enter = (value: string) =>
    // An empty field is no mistake before it is saved.
    setValue('expiresAt', value, { shouldDirty: true, shouldValidate: value !== '' });
  return {
    propose: () => {
      const before = getValues('expiresAt');
      if (!getValues('isTrial')) {
        if (proposal?.expiresAt === before) enter(proposal.before);
        setProposal(null);
      } else if (days !== undefined && !isEntered && !(Date.parse(before) > now)) {
        const end = new Date(now);
        end.setDate(end.getDate() + days);
        end.setHours(23, 59, 0, 0);
        setProposal({ before, expiresAt: end.toISOString() });
        enter(end.toISOString());
      }
    },
    sentence:
      proposal?.expiresAt === expiresAt &&
      `Expires is set to ${dayOf(Date.parse(expiresAt))}: a trial lasts ${counted(days ?? 0, 'day')}.`,
  };
}

/** One list, entered value by value. The service does not say what an empty list means, so no hint does. */
export function ListField(props: {
  name: ListName;
  control: FormControl;
  /** Called with the text in its box that is not added yet; empty when there is none. */
  onPendingText: (name: ListName, text: string) => void;
}) {
  const { name, control, onPendingText } = props;
  const { field, fieldState } = useController({ control, name });
  return (
    <Field label={fieldLabels[name]} error={messageOf(fieldState.error)} hint={listHints[name]}>
      {(parts) => (
        <ListChips
          name={name}
          parts={parts}
          values={field.value}
          onChange={field.onChange}
          onBlur={field.onBlur}
          onPendingText={(text) => onPendingText(name, text)}
          inputRef={field.ref}
        />
      )}
    </Field>
  );
}

/** The message about the list itself, else the one about its first invalid element. */
function messageOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('message' in error && typeof error.message === 'string') return error.message;
  return Object.values(error)
    .map(messageOf)
    .find((message) => message !== undefined);
}

/** Text in the boxes of the lists that was not added: saving must not lose it silently. */
export function usePendingTexts(form: UseFormReturn<SubscriberInput>) {
  const [texts, setTexts] = useState<Partial<Record<ListName, string>>>({});
  const pending = listNames.filter((name) => texts[name]);
  return {
    any: pending.length > 0,
    set: (name: ListName, text: string) => {
      setTexts((before) => ({ ...before, [name]: text }));
      if (text === '' && form.getFieldState(name).error?.type === 'pending-text') form.clearErrors(name);
    },
    /** Puts an error on each list with such text; returns whether there was one. */
    refuse: () => {
      pending.forEach((name, index) =>
        form.setError(
          name,
          { type: 'pending-text', message: `“${texts[name]}” wasn’t added. Correct or remove it.` },
          { shouldFocus: index === 0 },
        ),
      );
      return pending.length > 0;
    },
  };
}

/** The fields that other subscribers are looked for by. A username belongs to one subscriber, an email may be shared. */
type Name = 'username' | 'email';

/** The other subscribers with the username or the email in the form, looked for when the user leaves the field. */
export function useSameValues(form: UseFormReturn<SubscriberInput>, id: string, afterPress: AfterPress) {
  return {
    username: useSameValue(form, 'username', id, afterPress),
    email: useSameValue(form, 'email', id, afterPress),
  };
}

function useSameValue(form: UseFormReturn<SubscriberInput>, name: Name, id: string, afterPress: AfterPress) {
  /** The text of the field when the user left it; empty if it is not worth a look. */
  const [blurred, setBlurred] = useState('');
  const { data } = useQuery({ ...sameValueQuery(name, blurred, afterPress), enabled: blurred !== '' });
  const isSame = (one: Subscriber) => String(one.id) !== id && searchText(one[name]) === searchText(blurred);
  return {
    look: () =>
      afterPress(() => {
        const value = form.getValues(name);
        const isSaved = value === form.formState.defaultValues?.[name];
        setBlurred(!isSaved && SubscriberInput.shape[name].safeParse(value).success ? value : '');
      }),
    forget: () => setBlurred(''),
    // Services find texts that contain the value.
    of: blurred === '' ? [] : (data?.items.filter(isSame) ?? []),
  };
}

/** The subscribers whose username or email contains a text; the shortest usernames of those that begin with it come first. */
const sameValueQuery = (name: 'username' | 'email', text: string, afterPress: AfterPress) =>
  queryOptions({
    queryKey: ['listSubscribers', 'same', name, text],
    queryFn: async ({ client, signal }) => {
      const filter = name === 'username' ? { Username: text } : { Email: text };
      const query: ListQuery = { ...filter, SortBy: 'username', PageSize: 50 };
      const { data } = await apiOf(client).service.listSubscribers({ query }, { signal });
      // What is said of it takes a line.
      await new Promise<void>(afterPress);
      return data;
    },
  });

/** The number of subscribers that are named; more than a few would not help. */
const most = 3;

/** The others who have the value. The links open in another tab, so that the form stays as it is. */
export function SameValue({ what, of }: { what: Name; of: readonly Subscriber[] }) {
  const rest = of.length - most;
  return (
    <span role="status">
      {what === 'username'
        ? 'This username is taken: '
        : `${counted(of.length, 'subscriber has', 'subscribers have')} this email: `}
      {of.slice(0, most).map(({ id, username }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link to="/subscribers/$id" params={{ id }} target="_blank">
            {what === 'username' ? `Open ${username}` : username}
            <span className="visually-hidden"> (in a new tab)</span>
          </Link>
        </span>
      ))}
      {rest > 0 && ` and ${rest} more`}
    </span>
  );
}
