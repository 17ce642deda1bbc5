import { useNavigate, useSearch } from '@tanstack/react-router';
import { readActivityAddress, type ActivityAddress } from './address.ts';

/** The state of the journal's page, which is the address; changing it is going there. */
export function useActivityAddress() {
  const address = useSearch({ from: '/desk/activity', select: readActivityAddress });
  const navigate = useNavigate();
  const go = (search: ActivityAddress) => void navigate({ to: '/activity', search, resetScroll: false });
  return {
    address,
    /** Narrows anew, from the first page on. */
    filter: (change: { [N in keyof ActivityAddress]: ActivityAddress[N] | undefined }) =>
      go(readActivityAddress({ ...address, page: undefined, ...change })),
    turnTo: (page: number) => go(readActivityAddress({ ...address, page })),
    clear: () => go({}),
  };
}
