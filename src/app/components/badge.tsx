import type { ReactNode } from 'react';
import styles from './tone.module.css';

export type Tone = 'ok' | 'warn' | 'bad' | 'neutral';

/** A short word on a coloured background. The word has to be enough without the colour. */
export function Badge({ tone, dot = false, children }: { tone: Tone; dot?: boolean; children: ReactNode }) {
  return (
    <span className={`${styles.badge} ${styles[tone]}`} data-dot={dot || undefined}>
      {children}
    </span>
  );
}
