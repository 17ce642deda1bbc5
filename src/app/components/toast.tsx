import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { useApp, useLeavesFocus, type Toast } from './app-context.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import styles from './toast.module.css';

/** Shows the toasts, once for the whole page. */
export function ToastList() {
  const { toasts } = useApp();
  const shown = useSyncExternalStore(toasts.subscribe, toasts.list);
  const { length } = shown;
  // What makes room for them asks this first. Where it asked the page with `:has`, each pane took a fifth longer to open.
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    if (length > 0) dataset['toasts'] = String(Math.min(length, 2));
    return () => void delete dataset['toasts'];
  }, [length]);
  return (
    <section className={styles.toasts} role="status" aria-label="Notifications">
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

/** In ms: long enough to read twice, and longer where the user has to decide. Failures stay until dismissed. */
const lifetime = { plain: 8_000, withAction: 20_000 } as const;

function ToastCard({ toast }: { toast: Toast }) {
  const { toasts } = useApp();
  // While it has the pointer or the focus, the user is still reading it.
  const [held, setHeld] = useState(false);
  const leavesFocus = useLeavesFocus();
  const { action, tone } = toast;
  useEffect(() => {
    if (tone === 'bad' || tone === 'busy' || held) return;
    const timer = setTimeout(() => toasts.dismiss(toast.id), action ? lifetime.withAction : lifetime.plain);
    return () => clearTimeout(timer);
  }, [toasts, toast, action, tone, held]);
  return (
    <div
      className={`row card ${styles.toast} ${styles[tone]}`}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon name={tone === 'bad' || tone === 'warn' ? 'alert' : 'check'} />
      <p>{toast.text}</p>
      {action && (
        <Button
          ref={leavesFocus}
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
        <Button
          ref={leavesFocus}
          variant="quiet"
          square
          small
          aria-label="Dismiss"
          onClick={() => toasts.dismiss(toast.id)}
        >
          <Icon name="close" />
        </Button>
      )}
    </div>
  );
}
