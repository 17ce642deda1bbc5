import { useEffect, useSyncExternalStore } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import styles from './toast.module.css';

interface Toast {
  id: number;
  tone: 'ok' | 'bad';
  text: string;
}

let toasts: readonly Toast[] = [];
let made = 0;
const listeners = new Set<() => void>();

/** Says the outcome of an action in a corner of the page, and to screen readers. */
export function showToast(tone: Toast['tone'], text: string): void {
  made += 1;
  change([...toasts.slice(-2), { id: made, tone, text }]);
}

/** Nothing of one person's work is left for the next one. */
export function clearToasts(): void {
  change([]);
}

function dismiss(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Where toasts appear; stands once, at the end of the page. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <section className={styles.toasts} role="status" aria-label="Outcomes">
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

/** Long enough to read twice; a failure stays until it is put away. */
const lifetime = 8000;

function ToastCard({ toast }: { toast: Toast }) {
  useEffect(() => {
    if (toast.tone === 'bad') return;
    const timer = setTimeout(() => dismiss(toast.id), lifetime);
    return () => clearTimeout(timer);
  }, [toast]);
  return (
    <div className={`${styles.toast} ${styles[toast.tone]}`}>
      <Icon name={toast.tone === 'ok' ? 'check' : 'alert'} />
      <p>{toast.text}</p>
      <Button look="quiet" square small aria-label="Dismiss" onClick={() => dismiss(toast.id)}>
        <Icon name="close" />
      </Button>
    </div>
  );
}
