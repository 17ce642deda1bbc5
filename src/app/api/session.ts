import { useQuery } from '@tanstack/react-query';
import type { Session } from '../../contract/bff/session.ts';
import { whyNot, type Permission } from '../../contract/bff/permission.ts';
import { sessionQuery } from './queries.ts';

/** Who is signed in; undefined until the desk has said so. */
export function useSession(): Session | undefined {
  return useQuery(sessionQuery).data;
}

/** Whether the person may do something, and if not the sentence that says why. */
export function usePermission(permission: Permission): { allowed: boolean; reason: string | undefined } {
  const session = useSession();
  const allowed = session?.can.includes(permission) ?? false;
  return { allowed, reason: session && !allowed ? whyNot(permission) : undefined };
}
