import { useQuery } from '@tanstack/react-query';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { describeError, isOutage } from '../api/errors.ts';
import { ReadFailure } from '../api/read-failure.tsx';
import { Failure } from '../components/failure.tsx';
import { useLazyModule } from '../components/use-lazy-module.ts';
import { openAgain } from './lazy-page.tsx';
import styles from './dead-ends.module.css';

const loadNotFound = () => import('./not-found.tsx');

/** Rarely needed, so it is not loaded with the first view. */
export function NotFound() {
  const page = useLazyModule(loadNotFound, true);
  return page && <page.NotFound />;
}

/** Shown when a page throws, with a button to try again, and while its file can't be loaded, which is tried again by itself. */
export function PageFailure({ error }: ErrorComponentProps) {
  const router = useRouter();
  const opening = useQuery({
    queryKey: ['page'],
    queryFn: () => openAgain(router, Object(error).cause),
    enabled: isOutage(error),
    retry: false,
    gcTime: 0,
    meta: { awaited: 'the page' },
  });
  return (
    <div className={`stack ${styles.page}`}>
      {isOutage(error) ? (
        <ReadFailure what="the page" read={opening} />
      ) : (
        <Failure
          what="Couldn’t show this page"
          error={error}
          reason={describeError(error)}
          onRetry={() => void router.invalidate()}
        />
      )}
    </div>
  );
}
