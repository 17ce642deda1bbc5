import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { describeError } from '../api/errors.ts';
import { Failure } from '../components/failure.tsx';
import { useLazyModule } from '../components/use-lazy-module.ts';
import styles from './dead-ends.module.css';

const loadNotFound = () => import('./not-found.tsx');

/** Rarely needed, so it is not loaded with the first view. */
export function NotFound() {
  const page = useLazyModule(loadNotFound, true);
  return page && <page.NotFound />;
}

/** Shown when a page throws, with a button to try again. */
export function PageFailure({ error }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <div className={`stack ${styles.page}`}>
      <Failure
        what="Couldn’t show this page"
        error={error}
        reason={describeError(error)}
        onRetry={() => void router.invalidate()}
      />
    </div>
  );
}
