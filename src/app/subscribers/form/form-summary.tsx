import { useEffect, useRef, type ReactNode } from 'react';
import { Notice } from '../../components/notice.tsx';
import styles from './form-summary.module.css';

/** What went wrong with the whole; it takes the focus, because nothing else on the page shows it. */
export function FormSummary({ sentences, children }: { sentences: readonly string[]; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} role="alert" tabIndex={-1} className={styles.summary}>
      <Notice tone="bad">
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {children}
      </Notice>
    </div>
  );
}
