import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { createContext, createElement, use, useEffect, useState, type ReactNode } from 'react';
import { disabledReason, type Permission, type Role } from '../../contract/bff/permission.ts';
import type { Session } from '../../contract/bff/session.ts';
import { apiOf } from './api.ts';
import { sessionQuery } from './queries.ts';
import type { ReauthenticationPrompt } from './reauthentication.ts';

export const roleNames: Readonly<Record<Role, string>> = {
  viewer: 'Viewer',
  support: 'Support',
  manager: 'Manager',
};

/** The role of an account, which single sign-on may have taken away. */
export const roleNameOf = (role: Role | null): string => (role === null ? 'No role' : roleNames[role]);

const SessionContext = createContext<Session | undefined>(undefined);

/** Reads the session once for all parts of the page. */
export const SessionProvider = ({ children }: { children: ReactNode }) =>
  createElement(SessionContext, { value: useQuery(sessionQuery).data }, children);

/** The session of the user; undefined until the BFF has answered. */
export const useSession = (): Session | undefined => use(SessionContext);

/** Tells whether the user may do something that needs these permissions, and if not, the reason, once it is known. */
export function usePermission(...needs: readonly Permission[]) {
  const session = useSession();
  const missing = needs.find((permission) => !session?.can.includes(permission));
  return { allowed: missing === undefined, reason: session && missing && disabledReason(missing) };
}

/** The prompt to sign in again, after the session has ended; else null. */
export function useReauthenticationPrompt(): ReauthenticationPrompt | null {
  const client = useQueryClient();
  const isKnown = useSession() !== undefined;
  const [prompt, setPrompt] = useState<ReauthenticationPrompt | null>(null);
  useEffect(() => {
    if (!isKnown) return;
    return apiOf(client).reauthentication.onPrompt((next) => {
      const isShown = next === null || isAwaited(client);
      if (isShown) setPrompt(next);
      return isShown;
    });
  }, [client, isKnown]);
  return prompt;
}

/** Prefetching alone is no reason to interrupt the user. */
function isAwaited(client: QueryClient): boolean {
  const awaited = client.isFetching({ type: 'active' }) + client.isMutating();
  return awaited > 0 || client.isFetching() === 0;
}
