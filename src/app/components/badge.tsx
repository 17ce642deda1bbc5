import type { ReactNode } from 'react';
import styles from './tone.module.css';
import type { Person } from '../../contract/http/shapes.ts';

export type Tone = 'ok' | 'warn' | 'bad' | 'neutral';

/** A short word on a coloured background. The word has to be enough without the colour. */
export function Badge({ tone, dot = false, children }: { tone: Tone; dot?: boolean; children: ReactNode }) {
  return (
    <span className={`${styles.badge} ${styles[tone]}`} data-dot={dot || undefined}>
      {children}
    </span>
  );
}

/** The name of a staff member, marked where single sign-on chose it. */
export function PersonName({ person: { name, singleSignOn } }: { person: Person }) {
  return (
    <>
      {name}
      {singleSignOn && (
        <>
          {' '}
          <Badge tone="neutral">Single sign-on</Badge>
        </>
      )}
    </>
  );
}

/** The same within a sentence. */
export const nameOfPerson = ({ name, singleSignOn }: Person): string =>
  singleSignOn ? `${name} (single sign-on)` : name;
