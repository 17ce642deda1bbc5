import { useMemo, useState } from 'react';
import {
  useController,
  useWatch,
  type Control,
  type UseFormRegister,
  type UseFormReturn,
} from 'react-hook-form';
import type * as z from 'zod/mini';
import { listNames, type ListName } from '../../../contract/service/subscriber.ts';
import { SubscriberInput } from '../../../contract/service/subscriber-input.ts';
import { useNow } from '../../components/app-context.ts';
import { Chips, type ChipReading, type ChipsProps } from '../../components/chips.tsx';
import { Field } from '../../components/field.tsx';
import { dayOf } from '../../components/time.ts';
import { countryCode, countryName, countryNames } from '../fields/countries.ts';
import { ExpiryField } from '../fields/expiry-field.tsx';
import { extend, extensions } from '../fields/expiry.ts';
import { fieldLabels } from '../fields/subscriber-fields.ts';
import styles from './form-fields.module.css';

type FormControl = Control<SubscriberInput>;

/** The expiry, and buttons below it for the usual extensions. */
export function ExpiryWithExtensions({ control }: { control: FormControl }) {
  const now = useNow();
  const { field, fieldState } = useController({ control, name: 'expiresAt' });
  const at = Date.parse(field.value);
  return (
    <div className={styles.expiry}>
      <ExpiryField
        label={fieldLabels.expiresAt}
        value={field.value}
        onChange={field.onChange}
        onBlur={field.onBlur}
        error={fieldState.error && (fieldState.error.message ?? '')}
        inputRef={field.ref}
      />
      <div className={styles.steps} role="group" aria-label="Extend">
        {extensions.map((extension) => {
          const next = extend(at, extension, now);
          return (
            <button
              key={extension.label}
              type="button"
              title={`To ${dayOf(next.getTime())}, starting ${at > now ? 'at the current expiry' : 'today'}`}
              onClick={() => field.onChange(next.toISOString())}
            >
              {extension.label}
            </button>
          );
        })}
      </div>
    </div>
  );
}

/** The fields that are on or off. */
export function DeliveryFields(props: { control: FormControl; register: UseFormRegister<SubscriberInput> }) {
  const [hls, mpegTs] = useWatch({ control: props.control, name: ['hls', 'mpegTs'] });
  return (
    <fieldset className={styles.delivery}>
      <legend>Delivery and plan</legend>
      <div className={styles.boxes}>
        {(['hls', 'mpegTs', 'isTrial'] as const).map((name) => (
          <label key={name}>
            <input type="checkbox" {...props.register(name)} />
            {fieldLabels[name]}
          </label>
        ))}
      </div>
      <p className={styles.warning} role="status">
        {!hls && !mpegTs && 'HLS and MPEG-TS are both off: the subscriber probably can’t watch.'}
      </p>
    </fieldset>
  );
}

interface ListFieldsProps {
  control: FormControl;
  /** Called with the text in a list's box that is not added yet; empty when there is none. */
  onPendingText: (name: ListName, text: string) => void;
}

const lineBreaks = /[\r\n]+/;
/** Not spaces: names of countries contain them. */
const commas = /[,;]+/;

/** The four lists. The service does not say what an empty list means, so no hint does. */
export function ListFields(props: ListFieldsProps) {
  const countries = useMemo(() => countryNames(), []);
  return (
    <>
      <ListField
        name="bundles"
        {...props}
        read={readBundle}
        placeholder="Add a bundle number…"
        hint="Bundle numbers, separated by commas."
      />
      <ListField
        name="countries"
        {...props}
        read={readCountry}
        show={countryName}
        separator={commas}
        suggestions={countries}
        placeholder="Add a country…"
        hint="Names or two-letter codes, separated by commas."
      />
      <ListField
        name="ipAddresses"
        {...props}
        read={(piece) => readAs(ipAddresses.def.element, piece, piece)}
        placeholder="Add an address or range…"
        hint="IPv4 or IPv6 addresses, or ranges such as 192.0.2.0/24."
      />
      <ListField
        name="userAgents"
        {...props}
        read={(piece) => readAs(userAgents.def.element, piece, piece)}
        separator={lineBreaks}
        placeholder="Add a user agent…"
        hint="To add several, paste one per line."
      />
    </>
  );
}

type Element<N extends ListName> = SubscriberInput[N][number];

/** One list, entered value by value. */
function ListField<N extends ListName>(
  props: { name: N; hint: string } & ListFieldsProps &
    Pick<ChipsProps<Element<N>>, 'read' | 'show' | 'separator' | 'placeholder' | 'suggestions'>,
) {
  const { name, control, hint, onPendingText, ...chips } = props;
  const { field, fieldState } = useController({ control, name });
  const label = fieldLabels[name];
  return (
    <Field label={label} error={messageOf(fieldState.error)} hint={hint}>
      {(parts) => (
        <Chips<Element<N>>
          {...chips}
          parts={parts}
          label={label}
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

const { bundles, ipAddresses, userAgents } = SubscriberInput.shape;

/** Checks one typed piece by the contract's rule for an element of its list. */
function readAs<T extends string | number>(
  element: z.ZodMiniType<T>,
  value: unknown,
  typed: string,
): ChipReading<T> {
  const read = element.safeParse(value);
  if (read.success) return { value: read.data };
  return { refused: `“${typed}”: ${read.error.issues[0]?.message ?? 'This can’t be used.'}` };
}

const readBundle = (piece: string) =>
  readAs(bundles.def.element, /^\d+$/.test(piece) ? Number(piece) : Number.NaN, piece);

function readCountry(piece: string): ChipReading<string> {
  const code = countryCode(piece);
  return code
    ? { value: code }
    : { refused: `“${piece}” isn’t a country. Enter a name or a two-letter code.` };
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
