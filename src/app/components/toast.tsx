import { useEffect, useState, useSyncExternalStore } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import styles from './toast.module.css';

interface Toast {
  id: number;
  tone: 'ok' | 'bad' | 'busy';
  text: string;
  action?: ToastAction | undefined;
}

export interface ToastAction {
  label: string;
  /** What it comes to, said before it is pressed. */
  description?: string;
  /** Null while it is under way. */
  onPress: (() => void) | null;
}

let toasts: readonly Toast[] = [];
let made = 0;
const listeners = new Set<() => void>();

/**
 * Says the outcome of an action in a corner of the page, and to screen readers.
 *
 * @param tone what is `busy` stays until something else is said in its place
 * @returns its id, for that
 */
export function showToast(tone: Toast['tone'], text: string, action?: ToastAction): number {
  made += 1;
  const others = toasts.filter((toast, place) => toast.tone === 'busy' || place >= toasts.length - 2);
  change([...others, { id: made, tone, text, action }]);
  return made;
}

/** Says something else in the place of a toast; nothing where it is gone, as after signing out. */
export function replaceToast(id: number, tone: Toast['tone'], text: string, action?: ToastAction): void {
  change(toasts.map((toast) => (toast.id === id ? { id, tone, text, action } : toast)));
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

/** Long enough to read twice, and to decide where there is something to decide; in ms. A failure stays. */
const lifetime = { plain: 8_000, withAction: 20_000 } as const;

function ToastCard({ toast }: { toast: Toast }) {
  // Who points at it or is in it is not done with it.
  const [held, setHeld] = useState(false);
  const { action, tone } = toast;
  useEffect(() => {
    if (tone !== 'ok' || held) return;
    const timer = setTimeout(() => dismiss(toast.id), action ? lifetime.withAction : lifetime.plain);
    return () => clearTimeout(timer);
  }, [toast, action, tone, held]);
  return (
    <div
      className={`${styles.toast} ${styles[tone]}`}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon name={tone === 'bad' ? 'alert' : 'check'} />
      <p>{toast.text}</p>
      {action && (
        <Button
          small
          busy={action.onPress === null}
          title={action.description}
          aria-description={action.description}
          onClick={action.onPress ?? undefined}
        >
          {action.label}
        </Button>
      )}
      {tone !== 'busy' && (
        <Button look="quiet" square small aria-label="Dismiss" onClick={() => dismiss(toast.id)}>
          <Icon name="close" />
        </Button>
      )}
    </div>
  );
}
