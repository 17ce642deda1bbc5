import { useQueryClient } from '@tanstack/react-query';
import { useSession } from '../api/session.ts';
import { useApi } from '../api/api.ts';
import { Page } from '../components/page.tsx';
import { SecondFactors } from '../account/second-factors.tsx';
import { PasswordPage } from '../auth/password-page.tsx';
import { saveDrafts } from '../subscriber/drafts.ts';

/** The only page for people until they have replaced a one-time password, then set up a second factor. */
export function BarredPage() {
  return useSession()?.mustChangePassword ? <PasswordPage /> : <SetUpPage />;
}

function SetUpPage() {
  const cache = useQueryClient();
  const api = useApi();
  // Once it is set up and its recovery codes are kept, the session says so, and all that was refused is sent and read again.
  const goOn = async () => {
    await saveDrafts(api);
    await cache.invalidateQueries();
  };
  return (
    <Page title="Set up your second factor">
      <p className="muted">
        Your account needs one here. Set it up to continue, or sign out in the account menu.
      </p>
      <SecondFactors onClose={() => void goOn()} />
    </Page>
  );
}
