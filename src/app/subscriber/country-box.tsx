import { Combobox } from '@base-ui/react/combobox';
import { useMemo, useRef, useState } from 'react';
import type { OfferBoxProps } from '../components/chips.tsx';
import { countriesFor, countryCode } from './country-code.ts';
import { countryName } from './countries.ts';
import styles from './country-box.module.css';

type Value = string | number;

/** The box of a list of countries: offers those that a text may mean, the likeliest first, which Enter takes. */
export function CountryBox({ input, text, onType, values, onPick }: OfferBoxProps<Value>) {
  /** The text that the list was opened for: any other closes it, such as what a paste leaves in the box. */
  const [openFor, setOpenFor] = useState<string | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const offered = useMemo(() => {
    const exact = countryCode(text);
    // Enter must not add Nigeria where somebody means Niger, which is in the list already.
    if (exact && values.includes(exact)) return [];
    return countriesFor(text).filter((code) => !values.includes(code));
  }, [text, values]);
  const isOpen = openFor === text && offered.length > 0;
  return (
    <div ref={frame} className={styles.frame}>
      <Combobox.Root<Value, true>
        multiple
        autoHighlight
        openOnInputClick={false}
        items={offered}
        filter={null}
        value={values}
        onValueChange={(next) => {
          const added = next.find((value) => !values.includes(value));
          if (added !== undefined) onPick(added);
        }}
        inputValue={text}
        onInputValueChange={(next, details) => {
          // It would also empty the box when the list closes, and text must not get lost.
          if (details.reason !== 'input-change') return details.cancel();
          onType(next);
          setOpenFor(next.trim() === '' ? null : next);
        }}
        open={isOpen}
        onOpenChange={(open, { reason }) => {
          if (reason !== 'input-change') setOpenFor(open ? text : null);
        }}
      >
        <Combobox.Input
          {...input}
          onKeyDown={(event) => {
            // Base UI would remove all countries.
            if (event.key === 'Escape' && !isOpen) return event.preventBaseUIHandler();
            const isControl = event.ctrlKey || event.metaKey;
            // Enter takes what is offered and must not submit the form, even where the pointer has left the list.
            if (event.key === 'Enter' && isOpen && !isControl) event.preventDefault();
            else input.onKeyDown?.(event);
          }}
          onBlur={(event) => {
            setOpenFor(null);
            input.onBlur?.(event);
          }}
        />
        {/* Without Base UI's own popup, which would hide the rest of the form from screen readers. */}
        {isOpen && (
          // Within the form: in a dialog, the rest of the page is behind it.
          <Combobox.Portal container={frame} keepMounted>
            <Combobox.Positioner
              anchor={() => frame.current?.parentElement ?? null}
              positionMethod="fixed"
              sideOffset={4}
              className={styles.place}
            >
              {/* The scroll bar must not take the focus. */}
              <Combobox.List
                className={`card ${styles.list}`}
                onMouseDown={(event) => event.preventDefault()}
              >
                {(code: string) => (
                  <Combobox.Item key={code} value={code} className={styles.item}>
                    {countryName(code)}
                  </Combobox.Item>
                )}
              </Combobox.List>
            </Combobox.Positioner>
          </Combobox.Portal>
        )}
      </Combobox.Root>
    </div>
  );
}
