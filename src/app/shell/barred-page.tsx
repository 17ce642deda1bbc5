import { useQueryClient } from '@tanstack/react-query';
import { useSession } from '../api/session.ts';
import { Page } from '../components/page.tsx';
import { SecondFactors } from '../account/second-factors.tsx';
import { PasswordPage } from '../auth/password-page.tsx';

/** The only page for people until they have replaced a one-time password, then set up a second factor. */
export function BarredPage() {
  return useSession()?.mustChangePassword ? <PasswordPage /> : <SetUpPage />;
}

function SetUpPage() {
  const cache = useQueryClient();
  // Once it is set up and its recovery codes are kept, the session says so, and all that was refused is read again.
  const readAgain = () => void cache.invalidateQueries();
  return (
    <Page title="Set up your second factor">
      <p className="muted">
        Your account needs one here. Set it up to continue, or sign out in the account menu.
      </p>
      <SecondFactors onClose={readAgain} />
    </Page>
  );
}
