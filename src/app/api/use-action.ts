import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Session } from '../../contract/bff/session.ts';
import { ApiError } from '../../contract/http/client.ts';
import { checkNow, unconfirmedText, type Acting, type Unconfirmed } from '../components/notice.tsx';
import { useApp, type App } from '../components/app-context.ts';
import { useIsMounted } from '../components/use-is-mounted.ts';
import {
  mutationOf,
  sendAction,
  type ActionInput,
  type ActionName,
  type ActionReply,
  type ChangeOptions,
  type SendAction,
  type Sent,
} from './actions.ts';
import { describeFailure } from './action-errors.ts';
import { sessionQuery } from './queries.ts';

/** A toast about something that was done. */
export interface DoneToast {
  text: string;
  tone?: 'ok' | 'warn' | 'bad';
  /** The button of the toast that undoes it. */
  undo?: { description?: string; run: (app: App, toast: number) => unknown } | undefined;
}

interface ReplyOptions<N extends ActionName> {
  /** The result of a success, such as "the token was replaced", for when its answer is lost. */
  done: string;
  /** The way to find out then whether it succeeded. */
  check?: string;
  /** The sentences about an error that only this action has. */
  describe?: (error: ApiError, user: User) => string | undefined;
  /** Says that it is done. @param isShown whether its component is still there */
  toast?: string | ((reply: ActionReply<N>, isShown: boolean) => DoneToast | string | null);
  /** Called in any case, also if the user has left meanwhile. */
  onReply?: (reply: ActionReply<N>) => void;
}

type User = Session['staff'] | undefined;

export interface ActionOptions<N extends ActionName, Input> extends ReplyOptions<N> {
  /** Beginning of a toast that reports a failure after the user has left, such as a username. */
  about?: string;
  /**
   * The place that reports a failure or a lost answer, if its component has none: a toast, or the caller of `send`. Where
   * the component is gone, a toast reports a failure.
   */
  failures?: 'toast' | 'caller';
  /** Called if its component is still there. */
  onDone?: (reply: ActionReply<N>) => unknown;
  /** Called in any case, as `onReply`. */
  onFailure?: (error: Error) => unknown;
  send?: SendAction<N, Input>;
}

interface Action<N extends ActionName, Input> extends Acting {
  /** Does it. Resolves to null if it failed, which `failure` or a toast says. */
  run: (input: Input, options?: ChangeOptions) => Promise<ActionReply<N> | null>;
  /** Does it, and throws if it failed. */
  send: (input: Input, options?: ChangeOptions) => Promise<ActionReply<N>>;
  /** The input and options of the action that is in progress, or was last. */
  sent: Sent<Input> | undefined;
  reply: ActionReply<N> | undefined;
  error: Error | null;
}

/**
 * Something that the user can do, by the name of its operation: it is sent once, what it makes out of date is read again, and
 * its result is told, by a toast or by `Acting`, which `ConfirmDialog` and `FormDialog` show.
 *
 * @example
 * const ending = useAction('endSession', { done: `${browser} was signed out`, toast: `${browser} is signed out.` });
 * <Button busy={ending.isBusy} onClick={() => void ending.run({ params: { id } })}>End</Button>
 */
export function useAction<N extends ActionName, Input = ActionInput<N>>(
  operation: N,
  options: ActionOptions<N, Input>,
): Action<N, Input> {
  const app = useApp();
  const isMounted = useIsMounted();
  const [unconfirmed, setUnconfirmed] = useState<Unconfirmed | null>(null);
  const [lost] = useState(() => createLostToast(app));
  const about = options.about ? `${options.about}: ` : '';
  const describe = (error: Error) => describeActionError(app, error, options);
  const tell = (now: Unconfirmed | null) => {
    setUnconfirmed(now);
    if (now && options.failures === 'toast') lost.show(now, about + unconfirmedText(options.done));
  };
  const mutation = useMutation({
    ...mutationOf(operation, tell, options.send),
    onSuccess: async (reply) => {
      options.onReply?.(reply);
      showDone(app, options, reply, isMounted.current, lost.take());
      if (isMounted.current) await options.onDone?.(reply);
    },
    onError: async (error) => {
      if (options.failures === 'toast' || (!isMounted.current && options.failures !== 'caller'))
        showToast(app, { tone: 'bad', text: about + describe(error) }, lost.take());
      await options.onFailure?.(error);
    },
  });
  const { error } = mutation;
  const send: Action<N, Input>['send'] = (input, change) => mutation.mutateAsync({ input, ...change });
  return {
    send,
    // Its failure is told already.
    run: (input, change) => send(input, change).catch(() => null),
    isBusy: mutation.isPending,
    done: options.done,
    failure: error && describe(error),
    fields: error instanceof ApiError ? error.fields : noFields,
    unconfirmed,
    sent: mutation.variables,
    reply: mutation.data,
    error,
  };
}

const noFields = {};

function describeActionError(
  { queryClient }: App,
  error: Error,
  { done, check = 'Check the list', describe }: Pick<ReplyOptions<never>, 'done' | 'check' | 'describe'>,
): string {
  const user = queryClient.getQueryData(sessionQuery.queryKey)?.staff;
  const own = error instanceof ApiError ? describe?.(error, user) : undefined;
  return own ?? describeFailure(error, { done, check, user });
}

function showDone<N extends ActionName>(
  app: App,
  { toast }: ReplyOptions<N>,
  reply: ActionReply<N>,
  isShown: boolean,
  id?: number,
): void {
  const shown = typeof toast === 'function' ? toast(reply, isShown) : toast;
  if (typeof shown === 'string') showToast(app, { text: shown }, id);
  else if (shown) showToast(app, shown, id);
  else if (id !== undefined) app.toasts.dismiss(id);
}

/** @param id of the toast that it replaces */
export function showToast(
  app: App,
  { text, tone = 'ok', undo }: DoneToast,
  id = app.toasts.show(tone, text),
): void {
  const action = undo && {
    label: 'Undo',
    ...(undo.description !== undefined && { description: undo.description }),
    onPress: () => void undo.run(app, id),
  };
  app.toasts.replace(id, tone, text, action);
}

/** A toast that says that an answer is lost, until the outcome takes its place. @param id of the toast, if it is there already */
function createLostToast({ toasts }: App, id?: number) {
  return {
    show({ asking, askNow }: Unconfirmed, text: string): void {
      id ??= toasts.show('busy', text);
      toasts.replace(id, 'busy', text, { label: checkNow, onPress: asking ? null : askNow });
    },
    take(): number | undefined {
      const shown = id;
      id = undefined;
      return shown;
    },
  };
}

/** An action that undoes another, from its toast: the toast then says how far it is, and how it ended. */
export const undoBy =
  <N extends ActionName>(operation: N, input: ActionInput<N>, options: ReplyOptions<N>) =>
  async (app: App, toast: number): Promise<void> => {
    const { toasts } = app;
    const showBusy = () => toasts.replace(toast, 'busy', 'Undoing…', { label: 'Undo', onPress: null });
    showBusy();
    try {
      const reply = await sendAction(app.queryClient, operation, input, (unconfirmed) => {
        if (unconfirmed) createLostToast(app, toast).show(unconfirmed, unconfirmedText(options.done));
        else showBusy();
      });
      options.onReply?.(reply);
      showDone(app, options, reply, true, toast);
    } catch (error) {
      toasts.replace(toast, 'bad', describeActionError(app, Object(error) as Error, options));
    }
  };
