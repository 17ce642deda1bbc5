export interface Toast {
  id: number;
  tone: 'ok' | 'warn' | 'bad' | 'busy';
  text: string;
  action?: ToastAction | undefined;
}

interface ToastAction {
  label: string;
  /** What the action will do; shown on hover. */
  description?: string;
  /** Null while it is in progress. */
  onPress: (() => void) | null;
}

export type Toasts = ReturnType<typeof createToasts>;

/** The messages in the corner of the page about the result of an action. Screen readers announce them. */
export function createToasts() {
  let toasts: readonly Toast[] = [];
  let lastId = 0;
  const listeners = new Set<() => void>();

  function change(next: readonly Toast[]): void {
    toasts = next;
    for (const listener of listeners) listener();
  }

  return {
    list: () => toasts,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /**
     * @param tone a `busy` toast stays until it is replaced
     * @returns its id, for `replace`
     */
    show(tone: Toast['tone'], text: string, action?: ToastAction): number {
      lastId += 1;
      const others = toasts.filter((toast, index) => toast.tone === 'busy' || index >= toasts.length - 2);
      change([...others, { id: lastId, tone, text, action }]);
      return lastId;
    },
    /** Does nothing if the toast is gone, for example after signing out. */
    replace(id: number, tone: Toast['tone'], text: string, action?: ToastAction): void {
      change(toasts.map((toast) => (toast.id === id ? { id, tone, text, action } : toast)));
    },
    dismiss: (id: number): void => change(toasts.filter((toast) => toast.id !== id)),
    /** The next user of this page must not see the messages of the last one. */
    clear: (): void => change([]),
  };
}
