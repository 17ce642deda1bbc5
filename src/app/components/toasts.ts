import { createStore } from '../../lib/store.ts';

export interface Toast {
  id: number;
  tone: 'ok' | 'warn' | 'bad' | 'busy';
  text: string;
  action?: ToastAction | undefined;
}

interface ToastAction {
  label: string;
  /** A sentence about the effect; shown on hover. */
  description?: string;
  /** Null while it is in progress. */
  onPress: (() => void) | null;
}

export type Toasts = ReturnType<typeof createToasts>;

/** The messages in the corner of the page about the result of an action. Screen readers announce them. */
export function createToasts() {
  const { get: list, set, subscribe } = createStore<readonly Toast[]>([]);
  let lastId = 0;

  return {
    list,
    subscribe,
    /**
     * @param tone a `busy` toast stays until it is replaced
     * @returns its id, for `replace`
     */
    show(tone: Toast['tone'], text: string, action?: ToastAction): number {
      lastId += 1;
      const others = list().filter((toast, index) => toast.tone === 'busy' || index >= list().length - 2);
      set([...others, { id: lastId, tone, text, action }]);
      return lastId;
    },
    /** Does nothing if the toast is gone, for example after signing out. */
    replace(id: number, tone: Toast['tone'], text: string, action?: ToastAction): void {
      set(list().map((toast) => (toast.id === id ? { id, tone, text, action } : toast)));
    },
    dismiss: (id: number): void => set(list().filter((toast) => toast.id !== id)),
    /** The next user of this page must not see the messages of the last one. */
    clear: (): void => set([]),
  };
}
